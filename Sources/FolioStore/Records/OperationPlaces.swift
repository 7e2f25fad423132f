internal import FolioDomain

/// Where the operations on a document stand in the body of a pending transaction, so that they are
/// read without the others.
struct OperationPlaces: Hashable {
  /// In the order of the operations.
  var ranges: [Range<Int>] = []

  init() {}

  var record: [UInt8] {
    var writer = RecordWriter(reserving: 16)
    writer.append(varint: UInt64(ranges.count))
    var end = 0
    for range in ranges {
      writer.append(varint: UInt64(range.lowerBound - end))
      writer.append(varint: UInt64(range.count))
      end = range.upperBound
    }
    return writer.bytes
  }

  /// The places of a record; nil where it is empty, as programs before this one wrote it: the whole
  /// body has to be read then.
  init?(_ reader: inout RecordReader) throws(StoreError) {
    if reader.remaining == 0 { return nil }
    var end = 0
    for _ in 0..<(try reader.readCount()) {
      let (start, isBeyond) = end.addingReportingOverflow(try reader.readCount())
      let (upper, isBeyondToo) = start.addingReportingOverflow(try reader.readCount())
      guard !isBeyond, !isBeyondToo else { throw reader.unreadable }
      ranges.append(start..<upper)
      end = upper
    }
    try reader.finish()
  }
}

/// What a transaction that is being laid over the state does to a document.
struct LaidOperations {
  var sequence: UInt64
  var recordedAt: Timestamp
  var operations: [FolioDomain.Operation]
  /// Whether there is known to have been nothing of the document before.
  var isOnNewDocument: Bool
}
