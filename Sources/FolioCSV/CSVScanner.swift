/// Finds the fields of CSV records in bytes, as RFC 4180 has them, and makes no strings of them.
///
/// It holds where it is and the places of the fields of the record it read last; the bytes are passed
/// to each call, the same every time. What it takes and what it does not is said at `CSVReader`.
///
///     var scanner = CSVScanner(recordByteLimit: 4_096)
///     while try scanner.next(in: bytes) {
///       let price = try scanner.withBytes(of: 3, in: bytes) { try Price(utf8: $0) }
///     }
public struct CSVScanner: Sendable {
  private struct Field {
    var range: Range<Int>
    /// Whether quotes are written twice in it.
    var hasDoubledQuotes = false
  }

  private let separator: UInt8
  private let recordByteLimit: Int
  private let fieldsSpanLines: Bool
  private var offset = 0
  private var nextLine = 1
  private var fields: [Field] = []

  /// The line that the record, or the fault, read last begins in, from 1.
  public private(set) var line = 0
  /// How many fields the record read last has.
  public var fieldCount: Int { fields.count }

  /// A scanner that stands at the start.
  ///
  /// - Parameters:
  ///   - separator: What stands between fields; RFC 4180 has a comma.
  ///   - recordByteLimit: The most bytes that a record may have.
  ///   - fieldsSpanLines: Whether a quoted field may go on over lines. Where it may not, a quote that
  ///     is not closed takes no line but its own with it.
  public init(
    separator: UInt8 = UInt8(ascii: ","), recordByteLimit: Int, fieldsSpanLines: Bool = true
  ) {
    self.separator = separator
    self.recordByteLimit = recordByteLimit
    self.fieldsSpanLines = fieldsSpanLines
  }

  /// Goes to the next record that is not an empty line; false at the end.
  ///
  /// A byte order mark at the start is no part of the first field.
  /// - Throws: What is wrong with the record; the next call goes on with the line after the one that it
  ///   begins in.
  /// - Complexity: O(bytes of the record).
  public mutating func next(in bytes: UnsafeRawBufferPointer) throws(CSVFault) -> Bool {
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    fields.removeAll(keepingCapacity: true)
    while offset < bytes.count, let length = lineEnd(bytes, at: offset) {
      offset += length
      nextLine += 1
    }
    guard offset < bytes.count else { return false }
    let start = offset
    line = nextLine
    do throws(CSVFault) {
      try readRecord(bytes, from: start)
      return true
    } catch {
      // A quote that is never closed would take in all the rest: go on with the next line.
      (offset, nextLine) = (start, line)
      skipLine(bytes)
      throw error
    }
  }

  private mutating func readRecord(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) throws(CSVFault) {
    while true {
      try readField(bytes, from: start)
      guard offset < bytes.count else { return }
      if let length = lineEnd(bytes, at: offset) {
        offset += length
        nextLine += 1
        return
      }
      // What ended the field is the separator; a field follows, though it may be empty.
      offset += 1
    }
  }

  private mutating func readField(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) throws(CSVFault) {
    let column = fields.count + 1
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
      return try readPlainField(bytes, from: start, column)
    }
    offset += 1
    var field = Field(range: offset..<offset)
    while true {
      guard offset < bytes.count else { throw .quoteNotClosed(column: column) }
      try requireRoom(from: start)
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\n") {
        guard fieldsSpanLines else { throw .quoteNotClosed(column: column) }
        nextLine += 1
      }
      guard byte == UInt8(ascii: "\"") else { continue }
      guard offset < bytes.count, bytes[offset] == byte else { break }
      field.hasDoubledQuotes = true
      offset += 1
    }
    field.range = field.range.lowerBound..<offset - 1
    guard
      offset == bytes.count || bytes[offset] == separator || lineEnd(bytes, at: offset) != nil
    else { throw .textAfterQuote(column: column) }
    fields.append(field)
  }

  private mutating func readPlainField(
    _ bytes: UnsafeRawBufferPointer, from start: Int, _ column: Int
  ) throws(CSVFault) {
    let begin = offset
    while offset < bytes.count, bytes[offset] != separator, lineEnd(bytes, at: offset) == nil {
      try requireRoom(from: start)
      if bytes[offset] == UInt8(ascii: "\"") { throw .quoteInField(column: column) }
      if bytes[offset] == UInt8(ascii: "\r") { throw .bareReturn(column: column) }
      offset += 1
    }
    fields.append(Field(range: begin..<offset))
  }

  private func requireRoom(from start: Int) throws(CSVFault) {
    if offset - start >= recordByteLimit { throw .recordTooLong(byteCountMax: recordByteLimit) }
  }

  /// How many bytes a line's end at `offset` has; nil where none is there.
  @inline(__always)
  private func lineEnd(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    if bytes[offset] == UInt8(ascii: "\n") { return 1 }
    guard bytes[offset] == UInt8(ascii: "\r") else { return nil }
    // A file that was cut off behind its last CR ends there.
    if offset + 1 == bytes.count { return 1 }
    return bytes[offset + 1] == UInt8(ascii: "\n") ? 2 : nil
  }

  private mutating func skipLine(_ bytes: UnsafeRawBufferPointer) {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\n") {
        nextLine += 1
        return
      }
    }
  }
}

extension CSVScanner {
  /// Calls `body` with the bytes of a field of the record read last, counted from 0, without the
  /// quotes around it and with one for each that is written twice.
  ///
  /// - Complexity: O(1), and O(bytes of the field) where quotes stand in it.
  public func withBytes<R>(
    of place: Int, in bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let field = fields[place]
    let content = UnsafeRawBufferPointer(rebasing: bytes[field.range])
    guard field.hasDoubledQuotes else { return try body(content) }
    var plain: [UInt8] = []
    var index = 0
    while index < content.count {
      plain.append(content[index])
      index += content[index] == UInt8(ascii: "\"") ? 2 : 1
    }
    return try plain.withUnsafeBytes(body)
  }

  /// The text of a field of the record read last, counted from 0.
  ///
  /// - Throws: `CSVFault.notUTF8`.
  public func text(of place: Int, in bytes: UnsafeRawBufferPointer) throws(CSVFault) -> String {
    let text = withBytes(of: place, in: bytes) { String(validating: $0, as: UTF8.self) }
    guard let text else { throw .notUTF8(column: place + 1) }
    return text
  }
}
