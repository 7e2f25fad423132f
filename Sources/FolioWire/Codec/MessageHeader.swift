import FolioJSON

/// The members of a line that say what it is, found by reading past all others.
struct MessageHeader {
  private enum Member: String, CaseIterable { case id, re, type }
  private static let table = JSONMemberTable<Member>()
  /// The grammar alone, so that a fault of a value does not hide one of the grammar.
  private static let rules = JSONRules(
    numbers: .any, depthMax: Wire.depthLimit, refusesDuplicates: true)

  /// Where the values of the members start.
  var id: Int?
  var re: Int?
  var type: Int?
  /// The offset of the closing bracket.
  private var end = 0

  /// Reads the whole of a line, holding it to the grammar.
  init(_ bytes: RawSpan) throws(JSONError) {
    var reader = JSONReader(bytes, Self.rules)
    guard try reader.peek() == .object else {
      let start = reader.offset
      try reader.skipValue()
      try reader.finish()
      throw JSONError(.wrongType, at: start)
    }
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      _ = try reader.peek()
      switch member {
      case .id: id = reader.offset
      case .re: re = reader.offset
      case .type: type = reader.offset
      }
      try reader.skipValue()
    }
    end = reader.offset - 1
    try reader.finish()
  }

  /// The type's name.
  func readType(_ bytes: RawSpan) throws(JSONError) -> String {
    guard let type else { throw JSONError(.missingMember, at: end) }
    return try Self.read(bytes, at: type) { (reader) throws(JSONError) in try reader.readCode() }
  }

  /// The number that starts at `start`, if any does.
  func readNumber(_ start: Int?, _ bytes: RawSpan) throws(JSONError) -> RequestID? {
    guard let start else { return nil }
    return try Self.read(bytes, at: start) { (reader) throws(JSONError) in
      try reader.readRequestID()
    }
  }

  private static func read<R>(
    _ bytes: RawSpan, at start: Int, _ body: (inout JSONReader) throws(JSONError) -> R
  ) throws(JSONError) -> R {
    var reader = JSONReader(bytes.extracting(droppingFirst: start), rules)
    do throws(JSONError) {
      return try body(&reader)
    } catch {
      throw JSONError(error.code, at: error.offset + start)
    }
  }

  /// The known type of a line whose last member is `type`, as canonical lines of most types have it.
  ///
  /// Where the line is valid JSON this is its type: the last bracket closes the line's own object, and
  /// what stands right before it is a member of that. Where it is not, reading it will tell.
  static func typeAtEnd(_ bytes: RawSpan) -> MessageType? {
    func at(_ index: Int) -> UInt8 {
      bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
    }
    let end = bytes.byteCount - 2
    guard end > 9, at(end) == UInt8(ascii: "\""), at(end + 1) == UInt8(ascii: "}") else {
      return nil
    }
    var start = end
    while start > 9, end - start <= 16, at(start - 1) != UInt8(ascii: "\"") { start -= 1 }
    let name: StaticString = ",\"type\":\""
    let nameStart = start - name.utf8CodeUnitCount
    guard nameStart >= 0 else { return nil }
    for index in 0..<name.utf8CodeUnitCount where at(nameStart + index) != name.utf8Start[index] {
      return nil
    }
    let text = bytes.extracting(start..<end).withUnsafeBytes {
      String(decoding: $0, as: UTF8.self)
    }
    return MessageType(rawValue: text)
  }
}
