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

/// What is held of a listed asset: accepted state, and what is pending over it.
///
/// There is such a record exactly for each listed asset. What an asset that is not listed had is in
/// the history, and comes back from there.
struct AssetRecord: Hashable {
  var accepted = AcceptedAsset()
  var pending = PendingAsset()

  init(accepted: AcceptedAsset = AcceptedAsset(), pending: PendingAsset = PendingAsset()) {
    self.accepted = accepted
    self.pending = pending
  }

  func holding(of asset: AssetKey) -> Holding {
    Holding(asset, accepted: accepted, pending: pending)
  }

  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(accepted.amount)
    writer.append(accepted.category) { $0.append($1) }
    writer.append(accepted.wasInSnapshot)
    writer.append(pending)
    return writer.bytes
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    accepted.amount = try reader.readInt256()
    accepted.category = try reader.readBool() ? try reader.readStampedCategory() : nil
    accepted.wasInSnapshot = try reader.readBool()
    pending = try reader.readPendingAsset()
    try reader.finish()
  }
}

/// A listed asset as it is stored, read for what is shown of it.
struct ShownAssetRecord {
  var holding: Holding
  var isPending: Bool

  /// - Parameter known: The categories that were read before, where many are read.
  init(
    _ asset: AssetKey, _ reader: inout RecordReader, _ known: KnownCategories? = nil
  ) throws(StoreError) {
    var amount = try reader.readInt256()
    var category: Category?
    var origin = SpellingOrigin.type
    if try reader.readBool() {
      category = try reader.readCategory(known)
      origin = .accepted(try reader.readStamp())
    }
    let wasInSnapshot = try reader.readBool()
    let adjustment = try reader.readInt256()
    isPending = !adjustment.isZero
    if isPending { amount = amount + adjustment }
    if try reader.readBool() {
      isPending = true
      category = try reader.readCategory(known)
      origin = .pending(try reader.readPendingOrder())
    }
    try reader.finish()
    holding = Holding(
      asset, amount: amount, category: category, from: origin, wasInSnapshot: wasInSnapshot)
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
    if pending.category != nil {
      append(varint: pending.categoryOrder.deviceSequence)
      append(varint: UInt64(pending.categoryOrder.index))
    }
  }
}

extension RecordReader {
  mutating func readStampedCategory() throws(StoreError) -> StampedCategory {
    let category = try readCategory()
    return StampedCategory(category, stamp: try readStamp())
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

  fileprivate mutating func readPendingOrder() throws(StoreError) -> PendingOrder {
    let sequence = try readVarint()
    guard let index = UInt32(exactly: try readVarint()) else { throw unreadable }
    return PendingOrder(deviceSequence: sequence, index: index)
  }
}
