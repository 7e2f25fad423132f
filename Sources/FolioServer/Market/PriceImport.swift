package import FolioDomain

/// Prices as they were seen, ready to go into tables.
package struct PriceObservations: Sendable {
  /// One price of one asset at one moment.
  struct Element: Sendable {
    var slot: Slot
    /// The asset's place in ``assets``.
    var asset: Int
    /// How long before the slot's start it was seen, in milliseconds.
    var age: UInt64
    var price: Price
    /// Its place among those added: the later of two of the same moment counts.
    var order: Int
  }

  private(set) var assets: [AssetKey] = []
  private(set) var elements: [Element] = []
  private var places: [AssetKey: Int] = [:]

  /// None.
  package init() {}

  /// How many prices there are.
  package var count: Int { elements.count }

  /// Adds a price, which goes into the table of the first boundary at or after `time`.
  package mutating func add(_ asset: AssetKey, _ price: Price, at time: Timestamp) {
    let place: Int
    if let known = places[asset] {
      place = known
    } else {
      place = assets.count
      places[asset] = place
      assets.append(asset)
    }
    let slot = Slot(firstBoundaryAtOrAfter: time)
    elements.append(
      Element(
        slot: slot, asset: place, age: UInt64(slot.start.milliseconds - time.milliseconds),
        price: price, order: elements.count))
  }

  /// Puts the assets in byte order, and the prices by slot, asset and time.
  mutating func sort() {
    let order = assets.indices.sorted { assets[$0] < assets[$1] }
    var rank = [Int](repeating: 0, count: assets.count)
    for (place, old) in order.enumerated() { rank[old] = place }
    assets = order.map { assets[$0] }
    for (place, asset) in assets.enumerated() { places[asset] = place }
    for index in elements.indices { elements[index].asset = rank[elements[index].asset] }
    elements.sort { a, b in
      if a.slot != b.slot { return a.slot < b.slot }
      if a.asset != b.asset { return a.asset < b.asset }
      if a.age != b.age { return a.age > b.age }
      return a.order < b.order
    }
  }
}

/// Why prices can't go into tables.
@nonexhaustive
package enum PriceImportError: DomainError, Hashable {
  /// A table would not fit into a line of the protocol.
  case tableTooLarge(slot: Slot, prices: Int)

  package var code: String { "tableTooLarge" }
  package var message: String {
    switch self {
    case .tableTooLarge(let slot, let prices):
      "the table of \(slot) would have \(prices) prices, more than fit into "
        + "\(TablePacker.tableByteLimit) bytes as it is sent"
    }
  }
  package var hint: String { "import prices of fewer assets" }
}

extension Slot {
  /// The first slot that starts at `time` or after it.
  package init(firstBoundaryAtOrAfter time: Timestamp) {
    let slot = Slot(containing: time)
    self = slot.start == time ? slot : Slot(index: slot.index + 1)
  }
}

/// Puts prices into the tables of their slots.
///
/// Where a table has a price of the asset that was seen later, that one stays. A table whose
/// prices change gets a new revision, and no other does; one whose slot has not begun is held back.
package struct ImportPrices: ServerChange {
  private let observations: PriceObservations
  private let now: Timestamp

  /// Puts `observations` into tables at the server's time `now`.
  package init(_ observations: PriceObservations, now: Timestamp) {
    var observations = observations
    observations.sort()
    self.observations = observations
    self.now = now
  }

  /// What was done.
  package struct Answer: Hashable, Sendable {
    /// Tables that did not exist before.
    package var added = 0
    /// Tables that existed and have other prices now.
    package var corrected = 0
    /// Tables that have the same prices as before.
    package var unchanged = 0
    /// How many of the added or corrected are held back, because their slots have not begun.
    package var heldBack = 0
    /// The first and the last slot that a price fell in; nil without prices.
    package var slots: ClosedRange<Slot>?
    /// The market after it.
    package var market: MarketRow
  }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws
    -> Answer
  {
    var tables = TableWriter(market: try transaction.market(), now: now)
    _ = try tables.publishDue(&transaction)
    let numbers = try observations.assets.map { try tables.number($0, &transaction) }
    try transaction.checkAssetTypes(in: .assetNumbers)
    let merge = TableMerge(
      numbers: numbers, names: try AssetNumbers(transaction, last: tables.market.lastAssetNumber))
    var answer = Answer(market: tables.market)
    if let first = observations.elements.first, let last = observations.elements.last {
      answer.slots = first.slot...last.slot
    }
    var start = 0
    let elements = observations.elements
    while start < elements.count {
      let slot = elements[start].slot
      var end = start
      while end < elements.count, elements[end].slot == slot { end += 1 }
      try apply(elements[start..<end], to: slot, merge, &tables, &transaction, &answer)
      start = end
    }
    try tables.save(&transaction)
    answer.market = tables.market
    return answer
  }

  private func apply<T: ServerWriting & ~Copyable & ~Escapable>(
    _ elements: ArraySlice<PriceObservations.Element>, to slot: Slot, _ merge: TableMerge,
    _ tables: inout TableWriter, _ transaction: inout T, _ answer: inout Answer
  ) throws {
    let old = try transaction.table(slot)
    let merged = merge.merged(old?.prices ?? [], elements)
    guard merged.pricesChanged else {
      answer.unchanged += 1
      if merged.agesChanged, let old {
        try tables.put(
          slot, TableRow(revision: old.revision, prices: merged.prices), &transaction)
      }
      return
    }
    guard try TablePacker.fitsLine(merged.prices, merge.names) else {
      throw PriceImportError.tableTooLarge(slot: slot, prices: merged.prices.count)
    }
    if old == nil { answer.added += 1 } else { answer.corrected += 1 }
    if try tables.publish(slot, merged.prices, replacing: old, &transaction) == false {
      answer.heldBack += 1
    }
  }
}
