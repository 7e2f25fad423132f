public import FolioDomain

// What tests of markets and snapshots write down most, as literals.

extension AssetKey: ExpressibleByStringLiteral {
  /// `crypto:bitcoin`.
  public init(stringLiteral text: String) { self = valid { try AssetKey(text) } }
}

extension Slot: ExpressibleByStringLiteral {
  /// `2026-01-01T06Z`.
  public init(stringLiteral text: String) { self = valid { try Slot(text) } }
}

extension Price: ExpressibleByStringLiteral {
  /// `0.000001`.
  public init(stringLiteral text: String) { self = valid { try Price(text) } }
}

extension Category: ExpressibleByStringLiteral {
  /// A name.
  public init(stringLiteral text: String) { self = valid { try Category(named: text) } }
}

/// The sum of amounts that `text` names.
func units(_ text: String) -> Int256 { valid { Int256(try Amount(text)) } }

/// The value that `text` names.
func money(_ text: String) -> Value { valid { Value(try Amount(text)) } }

/// The moment that `text` names.
func moment(_ text: String) -> Timestamp { valid { try Timestamp(text) } }

/// Tables of the slots from `first` on, each with the prices named.
func priceTables(from first: Slot, _ rows: [[AssetKey: Price]]) -> [PriceTable] {
  rows.enumerated().map { offset, prices in
    PriceTable(
      slot: first.advanced(by: offset),
      prices: prices.sorted { $0.key < $1.key }.map { PricedAsset(asset: $0.key, price: $0.value) })
  }
}

/// A change by an amount.
func change(
  _ slot: Slot, _ asset: AssetKey, _ amount: String, _ category: Category? = nil
) -> HoldingChange {
  HoldingChange(slot: slot, asset: asset, sum: units(amount), category: category)
}

private func valid<T>(_ body: () throws -> T) -> T {
  do { return try body() } catch { fatalError("a literal of a test is wrong: \(error)") }
}
