import FolioDomain

// What tests of markets and snapshots write down most. A text that is wrong stops the test run.

/// The asset that `text` names: `crypto:bitcoin`.
func key(_ text: String) -> AssetKey { valid { try AssetKey(text) } }

/// The slot that `text` names: `2026-01-01T06Z`.
func at(_ text: String) -> Slot { valid { try Slot(text) } }

/// The price that `text` names.
func price(_ text: String) -> Price { valid { try Price(text) } }

/// The category of that name.
func named(_ text: String) -> FolioDomain.Category { valid { try Category(named: text) } }

/// The sum of amounts that `text` names.
func units(_ text: String) -> Int256 { valid { Int256(try Amount(text)) } }

/// The value that `text` names.
func money(_ text: String) -> Value { valid { Value(try Amount(text)) } }

/// The moment that `text` names.
func moment(_ text: String) -> Timestamp { valid { try Timestamp(text) } }

/// Tables of the slots from `first` on, each with the prices named.
func priceTables(from first: Slot, _ rows: [[String: String]]) -> [PriceTable] {
  rows.enumerated().map { offset, prices in
    PriceTable(
      slot: first.advanced(by: offset),
      prices: prices.map { PricedAsset(asset: key($0.key), price: price($0.value)) }
        .sorted { $0.asset < $1.asset })
  }
}

/// A change by an amount.
func change(
  _ slot: Slot, _ asset: AssetKey, _ amount: String, _ category: FolioDomain.Category? = nil
) -> HoldingChange {
  HoldingChange(slot: slot, asset: asset, sum: units(amount), category: category)
}

private func valid<T>(_ body: () throws -> T) -> T {
  do { return try body() } catch { fatalError("a text in a test is wrong: \(error)") }
}
