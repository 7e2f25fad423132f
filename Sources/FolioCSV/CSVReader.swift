/// Reads CSV as RFC 4180 has it: fields that may be quoted, a quote within written twice, records
/// that end with CRLF or LF, quoted fields that go on over lines.
///
/// Nothing is guessed and nothing is mended: a record that breaks the grammar is given as a fault,
/// with its line, and reading goes on behind it. A byte order mark at the start is no part of the
/// first field.
///
///     var reader = CSVReader(bytes, recordByteLimit: 1 << 20)
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
  private var scanner: CSVScanner

  /// A reader of a whole file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - separator: What stands between fields; RFC 4180 has a comma.
  ///   - recordByteLimit: The most bytes that a record may have.
  public init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), recordByteLimit: Int) {
    self.bytes = bytes
    scanner = CSVScanner(separator: separator, recordByteLimit: recordByteLimit)
  }

  /// The next record that is not an empty line; nil at the end.
  ///
  /// - Complexity: O(bytes of it).
  public mutating func next() -> Item? {
    bytes.withUnsafeBytes { bytes in
      do throws(CSVFault) {
        guard try scanner.next(in: bytes) else { return nil }
        var fields: [String] = []
        for place in 0..<scanner.fieldCount {
          fields.append(try scanner.text(of: place, in: bytes))
        }
        return .record(CSVRecord(line: scanner.line, fields: fields))
      } catch {
        return .fault(error, line: scanner.line)
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
