import FolioDomain
import TestSupport
import Testing

@testable import FolioServer

/// NDJSON files of assets, and the asset table they make.
struct AssetFileTests {
  private func read(_ text: String) -> AssetFile {
    Array(text.utf8).withUnsafeBytes { AssetFile($0) }
  }

  private func table(_ server: ServerFixture<MemoryServerStorage>) throws -> AssetPageQuery.Answer {
    try server.storage.read(AssetPageQuery(tag: nil, after: nil, byteLimit: 1 << 20))
  }

  private func load(_ server: ServerFixture<MemoryServerStorage>, _ text: String) throws
    -> ImportAssets.Answer
  {
    try server.storage.write(ImportAssets(read(text).assets))
  }

  @Test func readsEveryMember() throws {
    let file = read(
      """
      {"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Bitcoin","rank":1,"extra":[1.5]}
      {"name":"Lira","symbol":"","id":"TRL","type":"forex","rank":null,\
      "successor":"TRY","factor":"0.000001","fromSlot":"2005-01-03T00Z"}
      {"type":"forex","id":"ROL","symbol":"L","name":"Leu","successor":"RON","factor":1e-4}
      """)
    #expect(file.problems.isEmpty && file.repeated.isEmpty)
    #expect(file.assets.map(\.asset.text) == ["crypto:bitcoin", "forex:TRL", "forex:ROL"])
    #expect(file.assets.map(\.rank) == [1, nil, nil])
    #expect(file.assets[1].symbol.isEmpty)
    let lira = try #require(file.assets[1].successor)
    #expect(lira.id.text == "TRY" && lira.factor.text == "0.000001")
    #expect(lira.fromSlot.text == "2005-01-03T00Z")
    let leu = try #require(file.assets[2].successor)
    #expect(leu.factor.text == "0.0001" && leu.fromSlot == Slot.range.lowerBound)
  }

  @Test func ofRepeatedIdsTheFirstIsKeptAndTheOthersAreNamed() throws {
    let file = read(
      """
      {"type":"crypto","id":"a","symbol":"A","name":"First"}
      {"type":"stock","id":"a","symbol":"A","name":"Other type"}
      {"type":"crypto","id":"a","symbol":"A","name":"Second"}
      {"type":"crypto","id":"A","symbol":"A","name":"Other id"}
      """)
    #expect(file.assets.map(\.name) == ["First", "Other type", "Other id"])
    #expect(file.repeated.kept.map(\.line) == [3])
    #expect(file.problems.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"type":"crypto","id":"a","symbol":"A"}"#, "memberMissing"),
      (#"{"type":"crypto","id":"","symbol":"A","name":"A"}"#, "assetIdLength"),
      (#"{"type":"C","id":"a","symbol":"A","name":"A"}"#, "assetTypeCharacter"),
      (#"{"type":"crypto","id":"a","symbol":"A","name":"A","rank":0}"#, "rankOutOfRange"),
      (#"{"type":"crypto","id":"a","symbol":"A","name":"A","rank":1.5}"#, "lineMalformed"),
      (#"{"type":"crypto","id":"a","symbol":"A","name":"A","factor":"2"}"#, "successorMissing"),
      (#"{"type":"crypto","id":"a","id":"b","symbol":"A","name":"A"}"#, "lineMalformed"),
      (#"[]"#, "lineMalformed"), (#"{"type":"#, "lineMalformed"), ("{} x", "lineMalformed"),
    ])
  func aBadLineIsNamedAndSkipped(line: String, code: String) {
    let file = read(
      #"{"type":"crypto","id":"ok","symbol":"A","name":"A"}"# + "\n" + line + "\n")
    #expect(file.assets.count == 1)
    #expect(file.problems.kept.map(\.line) == [2])
    #expect(file.problems.kept.map(\.code) == [code])
  }

  @Test("A table of more types than a market has is refused by name, and not taken [market-1]")
  func tooManyTypes() throws {
    let server = try ServerFixture()
    func lines(_ numbers: ClosedRange<Int>) -> String {
      numbers.map { #"{"type":"t\#($0)","id":"a","symbol":"A","name":"A"}"# }
        .joined(separator: "\n")
    }
    #expect(try load(server, lines(10...73)).added == 64)
    #expect(try load(server, lines(10...73)).unchanged == 64)
    let before = try server.storage.read(AllRows())
    #expect(throws: MarketError.tooManyTypes(AssetType(unchecked: "t99"))) {
      try load(server, lines(99...99))
    }
    // The one that would be too many is the last, not the one that was added.
    #expect(throws: MarketError.tooManyTypes(AssetType(unchecked: "t73"))) {
      try load(server, lines(50...50).replacing("t50", with: "t1"))
    }
    #expect(try server.storage.read(AllRows()) == before)
    let replaced = ImportAssets(read(lines(30...93)).assets, replacing: true)
    #expect(try server.storage.write(replaced).removed == 20)
  }

  @Test func importingTwiceChangesNothing() throws {
    let server = try ServerFixture()
    let text = #"{"type":"crypto","id":"a","symbol":"A","name":"A","rank":3}"#
    let first = try load(server, text)
    let before = try server.storage.read(AllRows())
    let second = try load(server, text)
    #expect(first.added == 1 && second.unchanged == 1)
    #expect(first.table == second.table)
    #expect(try server.storage.read(AllRows()) == before)
  }

  @Test func theTagFollowsTheContentAlone() throws {
    let lines = (1...5).map {
      #"{"type":"crypto","id":"id\#($0)","symbol":"S","name":"N","rank":\#($0)}"#
    }
    let one = try ServerFixture(seed: 1)
    let other = try ServerFixture(seed: 2)
    let empty = try one.storage.read(MarketFacts()).assets.tag
    for line in lines { _ = try load(one, line) }
    _ = try load(other, lines.reversed().joined(separator: "\n"))
    let tag = try table(one).tag
    #expect(try tag == table(other).tag)
    #expect(tag != empty)
    _ = try load(other, lines[0].replacing("\"N\"", with: "\"M\""))
    #expect(try tag != table(other).tag)
    _ = try load(other, lines[0])
    #expect(try tag == table(other).tag)
  }

  @Test func pagesGoOnWhereTheLastEnded() throws {
    let server = try ServerFixture()
    let lines = (1...40).map { #"{"type":"crypto","id":"\#($0)","symbol":"S","name":"N"}"# }
    _ = try load(server, lines.joined(separator: "\n"))
    var assets: [AssetInfo] = []
    var pages = 0
    while true {
      let page = try server.storage.read(
        AssetPageQuery(tag: nil, after: assets.last?.asset, byteLimit: 2000))
      #expect(!page.assets.isEmpty)
      assets += page.assets
      pages += 1
      if !page.more { break }
    }
    #expect(pages > 3)
    #expect(assets == assets.sorted { $0.asset < $1.asset } && assets.count == 40)
    let tag = try table(server).tag
    let same = try server.storage.read(AssetPageQuery(tag: tag, after: nil, byteLimit: 1))
    #expect(same.same && same.assets.isEmpty)
  }

  @Test func theLeaderboardIsByRankWithLatestPrices() throws {
    let server = try ServerFixture()
    _ = try load(
      server,
      """
      {"type":"crypto","id":"c","symbol":"C","name":"C","rank":3}
      {"type":"crypto","id":"a","symbol":"A","name":"A","rank":1}
      {"type":"crypto","id":"x","symbol":"X","name":"X"}
      {"type":"crypto","id":"b","symbol":"B","name":"B","rank":2}
      """)
    var observations = PriceObservations()
    let crypto = AssetType(unchecked: "crypto")
    func price(_ id: String, _ price: String, _ time: String) throws {
      observations.add(
        AssetKey(type: crypto, id: AssetID(unchecked: id)), try Price(price),
        at: try Timestamp(time))
    }
    try price("a", "1", "2026-02-28T23:00:00Z")
    try price("a", "2", "2026-03-01T05:00:00Z")
    try price("b", "3", "2026-02-26T05:00:00Z")
    try price("c", "4", "2026-02-20T05:00:00Z")
    try price("b", "9", "2026-03-01T09:00:00Z")
    _ = try server.storage.write(ImportPrices(observations, now: server.now))
    let all = try server.storage.read(LeaderboardQuery(offset: 0, limit: 10))
    #expect(all.assets.map(\.asset.id.text) == ["a", "b", "c"])
    #expect(all.prices.map { $0?.text } == ["2", "3", nil])
    #expect(!all.more)
    let second = try server.storage.read(LeaderboardQuery(offset: 1, limit: 1))
    #expect(second.assets.map(\.asset.id.text) == ["b"] && second.more)
    // A rank that changes leaves no trace of the old one.
    _ = try load(server, #"{"type":"crypto","id":"a","symbol":"A","name":"A","rank":9}"#)
    #expect(
      try server.storage.read(LeaderboardQuery(offset: 0, limit: 10)).assets.map(\.asset.id.text)
        == ["b", "c", "a"])
  }
}
