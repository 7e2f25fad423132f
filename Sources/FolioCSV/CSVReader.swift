/// Reads CSV as RFC 4180 has it: fields that may be quoted, a quote within written twice, records
/// that end with CRLF or LF, quoted fields that go on over lines.
///
/// Nothing is guessed and nothing is mended: a record that breaks the grammar is given as a fault,
/// with its line, and reading goes on behind it. A byte order mark at the start is no part of the
/// first field.
///
///     var reader = CSVReader(bytes)
///     while let item = reader.next() {
///       switch item {
///       case .record(let record): print(record.line, record.fields)
///       case .fault(let fault, let line): print(line, fault.message)
///       }
///     }
public struct CSVReader: Sendable {
  /// What comes next in a file.
  public enum Item: Hashable, Sendable {
    /// A record.
    case record(CSVRecord)
    /// A record that cannot be read, and the line that it begins in, from 1.
    case fault(CSVFault, line: Int)
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  private let recordByteLimit: Int
  private var offset: Int
  /// The line at `offset`, from 1.
  private var line = 1

  /// A reader of a whole file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - separator: What stands between fields; RFC 4180 has a comma.
  ///   - recordByteLimit: The most bytes that a record may have.
  public init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), recordByteLimit: Int) {
    self.bytes = bytes
    self.separator = separator
    self.recordByteLimit = recordByteLimit
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next record that is not an empty line; nil at the end.
  ///
  /// - Complexity: O(bytes of it).
  public mutating func next() -> Item? {
    while offset < bytes.count, let length = lineEnd(at: offset) {
      offset += length
      line += 1
    }
    guard offset < bytes.count else { return nil }
    let start = (offset: offset, line: line)
    do throws(CSVFault) {
      let fields = try record()
      return .record(CSVRecord(line: start.line, fields: fields))
    } catch {
      // A quote that is never closed would take in all the rest: go on with the next line.
      (offset, line) = start
      skipLine()
      return .fault(error, line: start.line)
    }
  }

  private mutating func record() throws(CSVFault) -> [String] {
    let start = offset
    var fields: [String] = []
    while true {
      fields.append(try field(from: start, column: fields.count + 1))
      guard offset < bytes.count else { return fields }
      if let length = lineEnd(at: offset) {
        offset += length
        line += 1
        return fields
      }
      // What ended the field is the separator; a field follows, though it may be empty.
      offset += 1
    }
  }

  private mutating func field(from start: Int, column: Int) throws(CSVFault) -> String {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
      return try plainField(from: start, column: column)
    }
    offset += 1
    var content: [UInt8] = []
    while true {
      guard offset < bytes.count else { throw .quoteNotClosed(column: column) }
      try requireRoom(from: start)
      let byte = bytes[offset]
      offset += 1
      guard byte == UInt8(ascii: "\"") else {
        if byte == UInt8(ascii: "\n") { line += 1 }
        content.append(byte)
        continue
      }
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { break }
      content.append(byte)
      offset += 1
    }
    guard offset == bytes.count || bytes[offset] == separator || lineEnd(at: offset) != nil else {
      throw .textAfterQuote(column: column)
    }
    return try text(content[...], column: column)
  }

  private mutating func plainField(from start: Int, column: Int) throws(CSVFault) -> String {
    let begin = offset
    while offset < bytes.count, bytes[offset] != separator, lineEnd(at: offset) == nil {
      try requireRoom(from: start)
      if bytes[offset] == UInt8(ascii: "\"") { throw .quoteInField(column: column) }
      if bytes[offset] == UInt8(ascii: "\r") { throw .bareReturn(column: column) }
      offset += 1
    }
    return try text(bytes[begin..<offset], column: column)
  }

  private func requireRoom(from start: Int) throws(CSVFault) {
    if offset - start >= recordByteLimit { throw .recordTooLong(byteCountMax: recordByteLimit) }
  }

  private func text(_ content: ArraySlice<UInt8>, column: Int) throws(CSVFault) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .notUTF8(column: column)
    }
    return text
  }

  /// How many bytes a line's end at `offset` has; nil where none is there.
  private func lineEnd(at offset: Int) -> Int? {
    if bytes[offset] == UInt8(ascii: "\n") { return 1 }
    guard bytes[offset] == UInt8(ascii: "\r"), offset + 1 < bytes.count,
      bytes[offset + 1] == UInt8(ascii: "\n")
    else { return nil }
    return 2
  }

  private mutating func skipLine() {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
        return
      }
    }
  }
}

/// A record of a CSV file.
public struct CSVRecord: Hashable, Sendable {
  /// The line that it begins in, from 1.
  public var line: Int
  /// Its fields, without their quotes.
  public var fields: [String]

  /// A record of those members.
  public init(line: Int, fields: [String]) {
    self.line = line
    self.fields = fields
  }
}
