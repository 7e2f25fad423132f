import FolioJSON

extension TransactionBody {
  /// How deep a body nests at most: three levels of a protocol line are around it.
  static let rules = JSONRules(numbers: .portable, depthMax: 29, refusesDuplicates: true)

  private enum Member: String, CaseIterable { case operations, seen }
  private static let table = JSONMemberTable<Member>()

  /// The body of stored bytes.
  ///
  /// The verdict is the same for every reader: it depends on nothing but the bytes. Members of the
  /// body itself that are not known are passed over; operations of unknown kinds are kept.
  /// - Throws: `BodyError`, where the body cannot be read and its transaction is inert.
  /// - Complexity: O(bytes).
  public init(decoding bytes: [UInt8]) throws(BodyError) {
    guard bytes.count <= Self.byteLimit else {
      throw .tooLarge(byteCount: bytes.count, limit: Self.byteLimit)
    }
    if let plain = PlainBody.read(bytes) {
      self = plain
    } else {
      self = try Self.readAny(bytes)
    }
  }

  /// Where each operation of a body that can be read stands in its bytes, in their order.
  ///
  /// - Throws: `BodyError`, where the bytes are no body.
  /// - Complexity: O(bytes), without making the operations.
  package static func operationPlaces(_ bytes: [UInt8]) throws(BodyError) -> [Range<Int>] {
    var places: [Range<Int>] = []
    do throws(JSONError) {
      let span = bytes.span
      var reader = JSONReader(span.bytes, rules)
      var members = try reader.beginMembers()
      while let member = try reader.nextMember(&members, table) {
        guard member == .operations else {
          try reader.skipValue()
          continue
        }
        try reader.beginArray()
        while try reader.nextElement() {
          let start = reader.offset
          try reader.skipValue()
          places.append(start..<reader.offset)
        }
      }
    } catch {
      throw .json(error)
    }
    return places
  }

  /// The operation that stands at a place of the bytes of a body that could be read.
  ///
  /// - Throws: `BodyError`, where none stands there.
  /// - Complexity: O(bytes of the operation).
  package static func operation(in bytes: [UInt8], at place: Range<Int>) throws(BodyError)
    -> Operation
  {
    guard bytes.indices.contains(place.lowerBound), place.upperBound <= bytes.count else {
      throw .member("operations")
    }
    do {
      let span = bytes.span
      return try Operation(reading: span.bytes.extracting(place))
    } catch {
      throw .member("operations")
    }
  }

  /// How many bytes the body has that `bytes` start with, where it has the shape that nearly all
  /// have; it is canonical JSON then.
  ///
  /// Nil says nothing: there may be a body of another shape, or none.
  /// - Complexity: O(bytes of the body), without allocation.
  package static func plainByteCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
    PlainBody.byteCount(bytes)
  }

  /// The body of bytes of any shape.
  static func readAny(_ bytes: [UInt8]) throws(BodyError) -> TransactionBody {
    do {
      let span = bytes.span
      try requireCanonical(span.bytes)
      return try read(span.bytes)
    } catch let error as BodyError {
      throw error
    } catch let error as JSONError {
      throw .json(error)
    } catch let error as AmountError {
      throw .amount(error)
    } catch let error as NameError {
      throw .name(error)
    } catch let error as IdentityError {
      throw .identity(error)
    } catch {
      throw .member("the body")
    }
  }

  private static func requireCanonical(_ bytes: RawSpan) throws(JSONError) {
    var reader = JSONReader(bytes, rules)
    let range = try reader.readCanonicalValue()
    guard range == 0..<bytes.byteCount else { throw JSONError(.notCanonical, at: range.upperBound) }
  }

  private static func read(_ bytes: RawSpan) throws -> TransactionBody {
    var reader = JSONReader(bytes, rules)
    var members = try reader.beginMembers()
    var operations: [Operation]?
    var seen: Seen?
    while let member = try reader.nextMember(&members, table) {
      switch member {
      case .operations:
        var found: [Operation] = []
        try reader.beginArray()
        while try reader.nextElement() {
          let start = reader.offset
          try reader.skipValue()
          found.append(try Operation(reading: bytes.extracting(start..<reader.offset)))
        }
        operations = found
      case .seen: seen = try Seen(reading: &reader)
      }
    }
    guard let operations else { throw BodyError.member("operations") }
    return TransactionBody(seen: seen, operations: operations)
  }
}

extension Seen {
  private enum Member: String, CaseIterable { case digest, hash, log, seq }
  private static let table = JSONMemberTable<Member>()

  fileprivate init(reading reader: inout JSONReader) throws {
    var members = try reader.beginMembers()
    var digest: Hash256?
    var hash: Hash256?
    var log: LogID?
    var seq: UInt64?
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .digest: digest = try reader.readHash()
      case .hash: hash = try reader.readHash()
      case .log:
        let text = try reader.readText()
        log = reader.withText(text) { LogID(utf8: UnsafeRawBufferPointer($0)) }
        guard log != nil else { throw BodyError.member("seen.log") }
      case .seq: seq = UInt64(exactly: try reader.readInteger())
      }
    }
    guard let hash, let log, let seq else { throw BodyError.member("seen") }
    self.init(log: log, position: LogPosition(seq: seq, hash: hash), stateDigest: digest)
  }
}

extension JSONReader {
  fileprivate mutating func readHash() throws -> Hash256 {
    let text = try readText()
    guard let hash = withText(text, { Hash256(utf8: UnsafeRawBufferPointer($0)) }) else {
      throw IdentityError.hexadecimal(digitCount: 64)
    }
    return hash
  }
}
