import FolioDomain
import FolioJSON

/// The members that a transaction has in a push and in an entry alike.
struct EnvelopeFields {
  var device: UInt128?
  var id: UInt128?
  var sequence: UInt64?
  var recordedAt: Timestamp?
  var form: BodyForm?
  var keyID: UInt64?
  var version: UInt8 = 1
  var body: [UInt8]?
  private var bodyForm = BodyForm.plain
  private var bodyOffset = 0
  private var keyOffset = 0

  private enum Form: String, CaseIterable { case plain, sealed }
  private static let forms = JSONMemberTable<Form>()

  mutating func readForm(_ reader: inout JSONReader) throws(JSONError) {
    _ = try reader.peek()
    let start = reader.offset
    switch try reader.readWord(Self.forms) {
    case .plain: form = .plain
    case .sealed: form = .sealed
    case nil: throw JSONError(.badValue, at: start)
    }
  }

  mutating func readKeyID(_ reader: inout JSONReader) throws(JSONError) {
    _ = try reader.peek()
    keyOffset = reader.offset
    keyID = try reader.readUnsigned(from: 1)
  }

  /// Reads a body as what it is: a canonical object, whose bytes are kept, or a sealed text.
  mutating func readBody(_ reader: inout JSONReader) throws(JSONError) {
    let kind = try reader.peek()
    bodyOffset = reader.offset
    switch kind {
    case .object:
      let plain = Self.readPlainBody(&reader)
      let range = if let plain { plain } else { try reader.readCanonicalValue() }
      guard range.count <= Wire.bodyByteLimit else { throw JSONError(.tooLong, at: bodyOffset) }
      body = reader.bytes.extracting(range).withUnsafeBytes { Array($0) }
      bodyForm = .plain
    case .string:
      body = try reader.readBase64(limit: Wire.sealedBodyByteLimit)
      bodyForm = .sealed
    default: throw JSONError(.wrongType, at: bodyOffset)
    }
  }

  /// Passes over a body of the usual shape, which needs no reader to be found canonical.
  private static func readPlainBody(_ reader: inout JSONReader) -> Range<Int>? {
    let rest = reader.bytes.extracting(droppingFirst: reader.offset)
    return rest.withUnsafeBytes { TransactionBody.plainByteCount($0) }
      .map { reader.takeCanonicalValue($0) }
  }

  /// The transaction; called right after its object, which began at `start`, has ended.
  ///
  /// `isStub` says that there is a hash in place of the body.
  func envelope(
    _ reader: borrowing JSONReader, start: Int, isStub: Bool
  ) throws(JSONError) -> Envelope {
    let form = try reader.required(self.form)
    if form == .plain, keyID != nil { throw JSONError(.badValue, at: keyOffset) }
    if isStub {
      guard body == nil else { throw JSONError(.badValue, at: bodyOffset) }
    } else {
      _ = try reader.required(body)
      guard form == bodyForm else { throw JSONError(.badValue, at: bodyOffset) }
    }
    guard reader.offset - start <= Wire.transactionByteLimit else {
      throw JSONError(.tooLong, at: start)
    }
    return Envelope(
      version: version, id: TransactionID(try reader.required(id)),
      device: DeviceID(try reader.required(device)),
      deviceSequence: try reader.required(sequence),
      recordedAt: try reader.required(recordedAt), form: form,
      keyID: form == .plain ? 0 : try reader.required(keyID), body: body ?? [])
  }
}

extension JSONReader {
  /// Reads the version of an entry's format.
  mutating func readEntryVersion() throws(JSONError) -> UInt8 {
    UInt8(try readInteger(in: 1...255))
  }
}

extension JSONWriter {
  mutating func body(_ transaction: Envelope) {
    switch transaction.form {
    case .plain:
      name("body")
      raw(transaction.body)
    case .sealed: member("body", base64: transaction.body)
    }
  }

  mutating func form(_ form: BodyForm) {
    switch form {
    case .plain: member("form", "plain")
    case .sealed: member("form", "sealed")
    }
  }
}
