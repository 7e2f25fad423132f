import FolioDomain
@_spi(Matching) import FolioJSON

/// Reads entries of the shape that nearly all have in one match: whole, with a plain body of the usual
/// operations, and written as our own encoder writes them.
///
/// Where an entry has another shape it is left to the reader that knows everything and says what is
/// wrong.
enum PlainEntry {
  /// The entry that `reader` is at, which is taken; nil, with nothing taken, where it has another
  /// shape.
  static func read(_ reader: inout JSONReader) -> WireEntry? {
    let rest = reader.bytes.extracting(droppingFirst: reader.offset)
    let found = rest.withUnsafeBytes { match($0) }
    guard let found else { return nil }
    _ = reader.takeCanonicalValue(found.byteCount)
    return found.entry
  }

  private static func match(
    _ bytes: UnsafeRawBufferPointer
  ) -> (entry: WireEntry, byteCount: Int)? {
    guard var text = JSONMatcher(bytes), text.take("{\"acceptedAt\":"),
      let acceptedAt = text.integer(), text.take(",\"body\":")
    else { return nil }
    let bodyStart = text.offset
    guard let bodyCount = text.withRest({ TransactionBody.plainByteCount($0) }),
      bodyCount <= Wire.bodyByteLimit
    else { return nil }
    text.pass(bodyCount)
    guard text.take(",\"device\":\""), let device = text.digits(32).flatMap({ DeviceID(utf8: $0) }),
      text.take(",\"form\":\"plain\",\"id\":\""),
      let id = text.digits(32).flatMap({ TransactionID(utf8: $0) }), text.take(",\"kind\":\"")
    else { return nil }
    let isAccepted = text.take("accepted\"")
    guard isAccepted || text.take("void\""), text.take(",\"recordedAt\":"),
      let recordedAt = text.integer(), text.take(",\"seq\":"), let seq = text.integer(), seq > 0,
      text.take(",\"sequence\":"), let sequence = text.integer(), sequence > 0, text.take("}"),
      text.offset <= Wire.transactionByteLimit
    else { return nil }
    let transaction = Envelope(
      id: id, device: device, deviceSequence: sequence,
      recordedAt: Timestamp(milliseconds: Int64(recordedAt)),
      body: Array(bytes[bodyStart..<bodyStart + bodyCount]))
    let entry = WireEntry(
      seq: seq, acceptedAt: Timestamp(milliseconds: Int64(acceptedAt)),
      kind: isAccepted ? .accepted : .void, transaction: transaction)
    return (entry, text.offset)
  }
}
