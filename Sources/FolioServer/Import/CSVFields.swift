import FolioDomain

/// The fields of one line of CSV.
///
/// A field may be quoted; a quote within is written twice. No field goes on in the next line.
struct CSVFields {
  enum Fault: DomainError {
    case quote(offset: Int)
    case encoding(column: Int)

    var code: String {
      switch self {
      case .quote: "csvQuote"
      case .encoding: "csvEncoding"
      }
    }

    var message: String {
      switch self {
      case .quote(let offset): "a quote that is not closed, or out of place, at byte \(offset)"
      case .encoding(let column): "column \(column + 1) is not UTF-8"
      }
    }

    var hint: String { "write CSV in UTF-8, a quote within a quoted field twice" }
  }

  private let line: UnsafeRawBufferPointer
  private var fields: [(range: Range<Int>, isQuoted: Bool)] = []

  var count: Int { fields.count }

  init(_ line: UnsafeRawBufferPointer) throws(Fault) {
    self.line = line
    fields.reserveCapacity(4)
    var start = 0
    while true {
      let isQuoted = start < line.count && line[start] == UInt8(ascii: "\"")
      var end = start
      if isQuoted {
        end = try Self.endOfQuoted(line, from: start)
        fields.append((start + 1..<end - 1, true))
      } else {
        while end < line.count, line[end] != UInt8(ascii: ",") { end += 1 }
        fields.append((start..<end, false))
      }
      guard end < line.count else { return }
      guard line[end] == UInt8(ascii: ",") else { throw .quote(offset: end) }
      start = end + 1
    }
  }

  /// The offset behind the closing quote.
  private static func endOfQuoted(_ line: UnsafeRawBufferPointer, from start: Int) throws(Fault)
    -> Int
  {
    var index = start + 1
    while index < line.count {
      if line[index] == UInt8(ascii: "\"") {
        guard index + 1 < line.count, line[index + 1] == UInt8(ascii: "\"") else {
          return index + 1
        }
        index += 1
      }
      index += 1
    }
    throw .quote(offset: start)
  }

  /// Calls `body` with a field's bytes; those of a quoted one come without the doubled quotes.
  func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    let (range, isQuoted) = fields[column]
    let bytes = UnsafeRawBufferPointer(rebasing: line[range])
    guard isQuoted, bytes.contains(UInt8(ascii: "\"")) else { return try body(bytes) }
    var plain: [UInt8] = []
    var index = 0
    while index < bytes.count {
      plain.append(bytes[index])
      index += bytes[index] == UInt8(ascii: "\"") ? 2 : 1
    }
    return try plain.withUnsafeBytes(body)
  }

  func text(_ column: Int) throws -> String {
    try withBytes(column) { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Fault.encoding(column: column)
      }
      return text
    }
  }
}
