import FolioCSV
import TestSupport
import Testing

@Suite("CSV as RFC 4180 has it")
struct CSVTests {
  private func items(_ text: String, separator: UInt8 = UInt8(ascii: ","), limit: Int = 1_000)
    -> [CSVReader.Item]
  {
    items(Array(text.utf8), separator: separator, limit: limit)
  }

  private func items(
    _ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), limit: Int = 1_000
  ) -> [CSVReader.Item] {
    var reader = CSVReader(bytes, separator: separator, recordByteLimit: limit)
    var items: [CSVReader.Item] = []
    while let item = reader.next() { items.append(item) }
    return items
  }

  private func record(_ line: Int, _ fields: String...) -> CSVReader.Item {
    .record(CSVRecord(line: line, fields: fields))
  }

  @Test("records end with LF, CRLF or the file; empty lines are nothing; a mark at the start too")
  func lines() {
    let expected = [record(1, "a", "b"), record(3, "", ""), record(4, "c")]
    #expect(items("a,b\n\n,\nc") == expected)
    #expect(items("a,b\r\n\r\n,\r\nc\r\n") == expected)
    #expect(items("\u{FEFF}a,b\n\n,\nc\n") == expected)
    #expect(items("") == [] && items("\n\r\n") == [])
    #expect(items("a;b,c\n", separator: UInt8(ascii: ";")) == [record(1, "a", "b,c")])
  }

  @Test("a quoted field keeps commas, lines and quotes; lines count on")
  func quotes() {
    #expect(
      items("\"a,b\",\"x\ny\r\nz\",\"say \"\"hi\"\"\",\"\"\nnext\n")
        == [record(1, "a,b", "x\ny\r\nz", "say \"hi\"", ""), record(4, "next")])
  }

  @Test("what breaks the grammar is a fault with its line, and reading goes on behind it")
  func faults() {
    for (text, fault) in [
      ("a\"b,c", CSVFault.quoteInField(column: 1)), ("x,\"a\"b", .textAfterQuote(column: 2)),
      ("x,\"open", .quoteNotClosed(column: 2)), ("a\rb", .bareReturn(column: 1)),
    ] {
      #expect(
        items("ok,1\n\(text)\nok,2\n")
          == [record(1, "ok", "1"), .fault(fault, line: 2), record(3, "ok", "2")], "\(text)")
    }
    #expect(
      items([0x61, 0x2C, 0xE9, 0x0A, 0x62]) == [
        .fault(.notUTF8(column: 2), line: 1), record(2, "b"),
      ])
  }

  @Test("a record at the limit is read, one byte more is a fault")
  func limit() {
    let long = String(repeating: "x", count: 20)
    #expect(items(long + "\n", limit: 20) == [record(1, long)])
    #expect(
      items(long + "\nb\n", limit: 19) == [
        .fault(.recordTooLong(byteCountMax: 19), line: 1), record(2, "b"),
      ])
    #expect(
      items("\"\(long)\n\(long)\"\n", limit: 30).first
        == .fault(.recordTooLong(byteCountMax: 30), line: 1))
  }

  @Test("what is written is read back, whatever is in it")
  func roundTrip() {
    var random = SeededRandom()
    let alphabet = ["a", "\"", ",", "\n", "\r\n", "é", "日", " ", "\u{FEFF}", "=", ";"]
    for _ in 0..<2_000 {
      let records = (0..<random.int(1...3)).map { _ in
        (0..<random.int(1...4)).map { _ in
          (0..<random.int(0...5))
            .map { _ in random.pick(alphabet) }.joined()
        }
      }
      var bytes: [UInt8] = []
      for fields in records { CSVWriter.append(fields, to: &bytes) }
      let read = items(bytes).map { item -> [String] in
        if case .record(let record) = item { record.fields } else { ["\(item)"] }
      }
      #expect(read.map { $0.map { Array($0.utf8) } } == records.map { $0.map { Array($0.utf8) } })
    }
  }
}
