internal import FolioDomain

extension AssetSlotState {
  /// A row of the history, as `init(_:)` reads it.
  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(adjustment)
    writer.append(category) { $0.append($1) }
    return writer.bytes
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    let adjustment = try reader.readInt256()
    let category = try reader.readBool() ? try reader.readStampedCategory() : nil
    try reader.finish()
    self.init(adjustment: adjustment, category: category)
  }
}

/// What is held of a listed asset: accepted state, what is pending over it, and its latest price.
///
/// There is such a record exactly for each listed asset, under its key among assets and, the same,
/// under that in its category. What an asset that is not listed had is in the history, and comes back
/// from there.
struct AssetRecord: Hashable {
  var accepted = AcceptedAsset()
  var pending = PendingAsset()
  /// The latest price in tables of its own, as `PricedRecord` has it.
  var latest: PricedRecord.Latest?

  init(
    accepted: AcceptedAsset = AcceptedAsset(), pending: PendingAsset = PendingAsset(),
    latest: PricedRecord.Latest? = nil
  ) {
    self.accepted = accepted
    self.pending = pending
    self.latest = latest
  }

  func holding(of asset: AssetKey) -> Holding {
    Holding(asset, accepted: accepted, pending: pending)
  }

  var record: [UInt8] {
    var parts = AssetRecordParts()
    if accepted.wasInSnapshot { parts.insert(.wasInSnapshot) }
    if !pending.adjustment.isZero { parts.insert(.adjustment) }
    if latest != nil { parts.insert(.price) }
    if accepted.category != nil { parts.insert(.category) }
    if pending.category != nil { parts.insert(.pendingCategory) }
    var writer = RecordWriter()
    writer.append(parts.rawValue)
    writer.append(accepted.amount)
    if parts.contains(.adjustment) { writer.append(pending.adjustment) }
    if let latest { writer.append(latest) }
    if let category = accepted.category { writer.append(category) }
    if let category = pending.category {
      writer.append(category)
      writer.append(pending.categoryOrder)
    }
    return writer.bytes
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    let parts = try AssetRecordParts(&reader)
    accepted.wasInSnapshot = parts.contains(.wasInSnapshot)
    accepted.amount = try reader.readInt256()
    let adjustment = parts.contains(.adjustment) ? try reader.readInt256() : .zero
    latest = parts.contains(.price) ? try reader.readLatest() : nil
    accepted.category = parts.contains(.category) ? try reader.readStampedCategory() : nil
    if parts.contains(.pendingCategory) {
      let category = try reader.readCategory()
      pending = PendingAsset(
        adjustment: adjustment, category: category, categoryOrder: try reader.readPendingOrder())
    } else {
      pending = PendingAsset(
        adjustment: adjustment, category: nil,
        categoryOrder: PendingOrder(deviceSequence: 0, index: 0))
    }
    try reader.finish()
  }
}

/// What an asset's record has, by the bits of its first byte.
private struct AssetRecordParts: OptionSet {
  let rawValue: UInt8

  static let wasInSnapshot = AssetRecordParts(rawValue: 1)
  static let adjustment = AssetRecordParts(rawValue: 2)
  static let price = AssetRecordParts(rawValue: 4)
  static let category = AssetRecordParts(rawValue: 8)
  static let pendingCategory = AssetRecordParts(rawValue: 16)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  @inline(__always)
  init(_ reader: inout RecordReader) throws(StoreError) {
    rawValue = try reader.readByte()
    guard rawValue < 32 else { throw reader.unreadable }
  }
}

extension PricedHolding {
  /// A listed asset as it is stored, with the latest price of its own.
  ///
  /// - Parameter readCategory: How categories are read, for those to be shared that many have.
  @inline(__always)
  init(
    _ asset: AssetKey, _ reader: inout RecordReader, at slot: Slot,
    _ readCategory: (inout RecordReader) throws(StoreError) -> Category
  ) throws(StoreError) {
    let parts = try AssetRecordParts(&reader)
    var amount = try reader.readInt256()
    if parts.contains(.adjustment) { amount = amount + (try reader.readInt256()) }
    let latest = parts.contains(.price) ? try reader.readLatest() : nil
    let category: Category
    let origin: SpellingOrigin
    if parts.contains(.pendingCategory) {
      // What is pending counts, and not what stands before it.
      if parts.contains(.category) { try reader.skipStampedCategory() }
      category = try readCategory(&reader)
      origin = .pending(try reader.readPendingOrder())
    } else if parts.contains(.category) {
      category = try readCategory(&reader)
      origin = .accepted(try reader.readStamp())
    } else {
      category = Category(defaultFor: asset.type)
      origin = .type
    }
    try reader.finish()
    self.init(
      holding: Holding(
        asset, amount: amount, category: category, from: origin,
        wasInSnapshot: parts.contains(.wasInSnapshot)),
      isPending: !parts.isDisjoint(with: [.adjustment, .pendingCategory]),
      quote: latest.map { Quote(price: $0.price, pricedAt: $0.slot) },
      isStale: latest.map { Quote.isStale(pricedAt: $0.slot, at: slot) } ?? false)
  }

  /// Has another price count.
  mutating func price(_ quote: Quote?, at slot: Slot) {
    self.quote = quote
    isStale = quote?.isStale(at: slot) ?? false
  }
}

extension RecordWriter {
  mutating func append(_ category: StampedCategory) {
    append(category.category)
    append(category.stamp)
  }

  mutating func append(_ pending: PendingAsset) {
    append(pending.adjustment)
    append(pending.category) { $0.append($1) }
    if pending.category != nil { append(pending.categoryOrder) }
  }

  fileprivate mutating func append(_ order: PendingOrder) {
    append(varint: order.deviceSequence)
    append(varint: UInt64(order.index))
  }
}

extension RecordReader {
  mutating func readStampedCategory() throws(StoreError) -> StampedCategory {
    let category = try readCategory()
    return StampedCategory(category, stamp: try readStamp())
  }

  mutating func skipStampedCategory() throws(StoreError) {
    try skipCounted()
    try skipCounted()
    _ = try readStamp()
  }

  mutating func readPendingAsset() throws(StoreError) -> PendingAsset {
    let adjustment = try readInt256()
    guard try readBool() else {
      return PendingAsset(
        adjustment: adjustment, category: nil,
        categoryOrder: PendingOrder(deviceSequence: 0, index: 0))
    }
    let category = try readCategory()
    return PendingAsset(
      adjustment: adjustment, category: category, categoryOrder: try readPendingOrder())
  }

  @inline(__always)
  fileprivate mutating func readPendingOrder() throws(StoreError) -> PendingOrder {
    let sequence = try readVarint()
    guard let index = UInt32(exactly: try readVarint()) else { throw unreadable }
    return PendingOrder(deviceSequence: sequence, index: index)
  }
}
