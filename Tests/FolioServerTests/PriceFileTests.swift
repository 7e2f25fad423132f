import FolioDomain
import TestSupport
import Testing

@testable import FolioServer

/// CSV files of prices, line by line.
struct PriceFileTests {
  private func read(_ text: String, base: String = "USD") throws -> PriceFile {
    try Array(text.utf8).withUnsafeBytes { try PriceFile($0, base: base) }
  }

  /// The tables that a file's prices make, as `slot#revision asset=price ...`.
  private func tables(_ file: PriceFile) throws -> [String] {
    let server = try ServerFixture(at: "2030-01-01T00:00:00Z")
    _ = try server.storage.write(ImportPrices(file.observations, now: server.now))
    return try server.tables().map(\.text)
  }

  @Test func readsLinesInEveryForm() throws {
    let file = try read(
      """
      time,type,id,price
      2026-01-01T05:00:00Z,crypto,bitcoin,93000.50\r
      2026-01-01T05:00:00Z,crypto,cardano,5.29e-05

      2026-01-01T05:00:00.250Z,stock,"A ""B"", C",1E2
      "2026-01-01T05:00:00Z","forex","EUR","1.0800"
      2026-01-01T05:00:00Z,forex,USD,1.0
      2026-01-01T05:00:00Z,metal,é,000
      """)
    #expect(file.problems.kept.map(\.line) == [8])
    #expect(
      try tables(file) == [
        #"2026-01-01T06Z#1 crypto:bitcoin=93000.5 crypto:cardano=0.0000529 forex:EUR=1.08 "#
          + #"forex:USD=1 stock:A "B", C=100"#
      ])
  }

  @Test func aByteOrderMarkAndAMissingLastLineEndAreNothing() throws {
    let file = try read("\u{FEFF}time,type,id,price\n2026-01-01T05:00:00Z,crypto,a,1")
    #expect(file.observations.count == 1 && file.problems.isEmpty)
  }

  @Test(arguments: ["", "time,type,id", "2026-01-01T05:00:00Z,crypto,a,1", "Time,type,id,price"])
  func withoutItsHeaderAFileIsRefused(text: String) {
    #expect(throws: PriceFileError.header) { try read(text) }
  }

  /// One bad value costs that price, never the table.
  @Test(
    arguments: zip(
      [
        "NA", "null", "{}", "", "error: not found", "-1", "1,5", "0x10", "1e999", "NaN", "+1",
        "--1",
        "1.2345678901234567890", "1 ", "12.",
      ],
      [
        "priceMalformed", "priceMalformed", "priceMalformed", "priceMalformed",
        "priceMalformed", "priceNegative", "columnCount", "priceMalformed", nil,
        "priceMalformed", "priceMalformed", "priceMalformed", nil, "priceMalformed",
        "priceMalformed",
      ]))
  func F46_aBadPriceIsSkippedWithItsLine(value: String, code: String?) throws {
    let file = try read(
      """
      time,type,id,price
      2026-01-01T04:00:00Z,crypto,a,1
      2026-01-01T05:00:00Z,crypto,b,\(value)
      2026-01-01T05:00:00Z,crypto,c,3
      """)
    #expect(file.problems.kept.map(\.line) == [3])
    #expect(file.problems.kept.allSatisfy { !$0.code.isEmpty && !$0.message.isEmpty })
    if let code { #expect(file.problems.kept.map(\.code) == [code]) }
    #expect(try tables(file) == ["2026-01-01T06Z#1 crypto:a=1 crypto:c=3"])
  }

  @Test(
    arguments: [
      ("2026-01-01 05:00:00Z,crypto,a,1", "timeMalformed"),
      ("2026-01-01T05:00:00+05:45,crypto,a,1", "timeMalformed"),
      ("2026-02-29T05:00:00Z,crypto,a,1", "timeMalformed"),
      ("2026-01-01T05:00:00Z,Crypto,a,1", "assetTypeCharacter"),
      ("2026-01-01T05:00:00Z,,a,1", "assetTypeLength"),
      ("2026-01-01T05:00:00Z,crypto,,1", "assetIdLength"),
      ("2026-01-01T05:00:00Z,crypto,a\u{7},1", "assetIdControlCharacter"),
      ("2026-01-01T05:00:00Z,crypto,a", "columnCount"),
      ("2026-01-01T05:00:00Z,crypto,a,1,2", "columnCount"),
      ("2026-01-01T05:00:00Z,crypto,\"a,1", "csvQuoteNotClosed"),
      ("2026-01-01T05:00:00Z,crypto,\"a\"b,1", "csvTextAfterQuote"),
      ("2026-01-01T05:00:00Z,crypto,a\"b,1", "csvQuoteInField"),
      ("2026-01-01T05:00:00Z,forex,USD,1.1", "basePrice"),
      ("9999-12-31T23:00:00Z,crypto,a,1", "timeOutOfRange"),
      ("x", "columnCount"),
    ])
  func aBadLineIsNamed(line: String, code: String) throws {
    let file = try read("time,type,id,price\n\(line)\n")
    #expect(file.problems.kept.map(\.code) == [code])
    #expect(file.observations.count == 0)
  }

  @Test func bytesThatAreNotUTF8AreNamed() throws {
    let bytes =
      Array("time,type,id,price\n2026-01-01T05:00:00Z,crypto,".utf8) + [0xFF, 0xFE]
      + Array(",1\n".utf8)
    let file = try bytes.withUnsafeBytes { try PriceFile($0, base: "USD") }
    #expect(file.problems.kept.map(\.code) == ["csvNotUTF8"])
  }

  @Test func moreProblemsAreCountedThanKept() throws {
    let lines = String(repeating: "bad\n", count: LineProblems.keptLimit + 7)
    let file = try read("time,type,id,price\n" + lines)
    #expect(file.problems.count == LineProblems.keptLimit + 7)
    #expect(file.problems.kept.count == LineProblems.keptLimit)
    #expect(file.problems.kept.last?.line == LineProblems.keptLimit + 1)
  }
}
