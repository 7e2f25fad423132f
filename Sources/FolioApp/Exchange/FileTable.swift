import FolioCSV
import FolioDomain
import FolioJSON

/// The rows of a file before anything is made of them: values by the names of their columns.
struct FileTable {
  /// A value in a row.
  enum Value: Hashable {
    case text(String)
    /// An object or an array, as a file of JSON has them.
    case json(JSONValue)
  }

  struct Row {
    /// The line that it begins in, from 1.
    var line: Int
    /// What it says, or why it cannot be read.
    var values: Result<[String: Value], ImportRowError>
  }

  /// The names of the columns, in their order.
  private(set) var columns: [String] = []
  private(set) var rows: [Row] = []
  /// Names that stand above two columns.
  private(set) var twice: Set<String> = []

  /// The most bytes of a row.
  static let rowByteLimit = 1 << 20

  /// Reads a file: JSON where it begins with a bracket or a brace, else CSV.
  ///
  /// - Complexity: O(bytes), all rows in memory.
  init(_ bytes: [UInt8]) throws(ImportError) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { throw .notUTF8 }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    switch first {
    case UInt8(ascii: "["): try readArray(bytes)
    case UInt8(ascii: "{"): readLines(bytes)
    default: try readCSV(bytes)
    }
    if rows.isEmpty { throw .empty }
  }

  // MARK: CSV

  private mutating func readCSV(_ bytes: [UInt8]) throws(ImportError) {
    var reader = CSVReader(
      bytes, separator: Self.separator(bytes), recordByteLimit: Self.rowByteLimit)
    switch reader.next() {
    case nil: throw .empty
    case .fault(let fault, let line)?: throw .header(line: line, what: fault.message)
    case .record(let header)?:
      columns = header.fields.map { String($0.drop { $0 == " " }) }
      twice = Set(columns.filter { name in columns.count { $0 == name } > 1 })
    }
    while let item = reader.next() {
      switch item {
      case .fault(let fault, let line):
        let broken = ImportRowError.broken(
          code: fault.code, what: fault.message, hint: fault.hint)
        rows.append(Row(line: line, values: .failure(broken)))
      case .record(let record):
        // A spreadsheet writes separators alone for a row that is empty.
        if record.fields.allSatisfy(\.isEmpty) { continue }
        rows.append(Row(line: record.line, values: values(record.fields)))
      }
    }
  }

  private func values(_ fields: [String]) -> Result<[String: Value], ImportRowError> {
    guard fields.count == columns.count else {
      return .failure(.columnCount(fields.count, header: columns.count))
    }
    var values: [String: Value] = [:]
    for (name, field) in zip(columns, fields) where !field.isEmpty { values[name] = .text(field) }
    for (number, field) in fields.enumerated() where !field.isEmpty {
      values[Self.name(ofColumn: number + 1)] = .text(field)
    }
    return .success(values)
  }

  /// What a column is found by where a map gives its number; no header has a line's end in it.
  static func name(ofColumn number: Int) -> String { "\n\(number)" }

  /// What separates the header's fields: a semicolon or a tab where no comma does.
  private static func separator(_ bytes: [UInt8]) -> UInt8 {
    let header = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].first(where: header.contains)
      ?? UInt8(ascii: ",")
  }

  // MARK: JSON

  private static let rules = JSONRules(numbers: .any, depthMax: 64, refusesDuplicates: true)

  private mutating func readArray(_ bytes: [UInt8]) throws(ImportError) {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    var line = LineCounter(bytes)
    var reader = JSONReader(bytes.span.bytes, Self.rules)
    do throws(JSONError) {
      try reader.beginArray()
      while try reader.nextElement() {
        let kind = try reader.peek()
        let start = line.number(at: reader.offset)
        guard kind == .object else { throw JSONError(.badValue, at: reader.offset) }
        add(try Self.object(&reader, bytes), line: start)
      }
      try reader.finish()
    } catch {
      throw .json(line: line.number(at: error.offset), what: "\(error)")
    }
  }

  private mutating func readLines(_ bytes: [UInt8]) {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, part) in lines.enumerated() {
      let part = Array(part)
      if part.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      var reader = JSONReader(part.span.bytes, Self.rules)
      do throws(JSONError) {
        let values = try Self.object(&reader, part)
        try reader.finish()
        add(values, line: number + 1)
      } catch {
        let broken = ImportRowError.broken(
          code: "importJSON", what: "\(error)", hint: "write an object a line")
        rows.append(Row(line: number + 1, values: .failure(broken)))
      }
    }
  }

  private mutating func add(_ values: [(name: String, value: Value?)], line: Int) {
    var row: [String: Value] = [:]
    for (name, value) in values {
      if !columns.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { columns.append(name) }
      row[name] = value
    }
    rows.append(Row(line: line, values: .success(row)))
  }

  /// The members of an object; a number is kept as its digits, null as no value.
  private static func object(
    _ reader: inout JSONReader, _ bytes: [UInt8]
  ) throws(JSONError) -> [(name: String, value: Value?)] {
    var values: [(name: String, value: Value?)] = []
    try reader.beginObject()
    while let name = try reader.nextName() {
      let name = reader.string(name)
      switch try reader.peek() {
      case .string: values.append((name, .text(try reader.readString())))
      case .number:
        let start = reader.offset
        try reader.skipValue()
        let digits = bytes[start..<reader.offset]
        values.append((name, .text(String(decoding: digits, as: UTF8.self))))
      case .null:
        _ = try reader.readNull()
        values.append((name, nil))
      default: values.append((name, .json(try reader.readValue())))
      }
    }
    return values
  }
}

/// Finds the lines of offsets that grow.
private struct LineCounter {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func number(at target: Int) -> Int {
    while offset < min(target, bytes.count) {
      if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
      offset += 1
    }
    return line
  }
}
