internal import FolioDomain

/// What is stored of a snapshot: its digest and counts, or that it is out of date.
///
/// Holdings and prices are not stored again for each slot; they are read from history and tables.
enum SnapshotRecord: Hashable {
  case outOfDate
  case made(digest: Hash256, assetCount: Int, unpricedCount: Int, staleCount: Int)

  static let outOfDateRecord: [UInt8] = [0]

  var record: [UInt8] {
    switch self {
    case .outOfDate: return Self.outOfDateRecord
    case .made(let digest, let assetCount, let unpricedCount, let staleCount):
      var writer = RecordWriter(reserving: 40)
      writer.append(1 as UInt8)
      writer.append(digest)
      writer.append(varint: UInt64(assetCount))
      writer.append(varint: UInt64(unpricedCount))
      writer.append(varint: UInt64(staleCount))
      return writer.bytes
    }
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    guard try reader.readBool() else {
      self = .outOfDate
      return
    }
    let digest = try reader.readHash()
    let assetCount = try reader.readCount()
    let unpricedCount = try reader.readCount()
    self = .made(
      digest: digest, assetCount: assetCount, unpricedCount: unpricedCount,
      staleCount: try reader.readCount())
    try reader.finish()
  }
}
