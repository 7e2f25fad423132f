/// Writes CSV as RFC 4180 has it, so that any reader of it gets the same fields back.
public enum CSVWriter {
  /// Appends a record: its fields with commas between, quoted where they must be, and CRLF.
  ///
  /// - Complexity: O(bytes).
  public static func append(_ fields: [String], to bytes: inout [UInt8]) {
    for (number, field) in fields.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      append(field, isAlone: fields.count == 1, to: &bytes)
    }
    bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
  }

  private static func append(_ field: String, isAlone: Bool, to bytes: inout [UInt8]) {
    let needsQuotes = field.utf8.contains {
      [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains($0)
    }
    // An empty field that is alone would be an empty line; a mark at the start is taken for none.
    let isEmptyLine = field.isEmpty && isAlone
    guard needsQuotes || isEmptyLine || field.utf8.starts(with: [0xEF, 0xBB, 0xBF]) else {
      bytes.append(contentsOf: field.utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in field.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
