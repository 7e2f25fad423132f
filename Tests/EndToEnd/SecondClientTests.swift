import FolioSystem
import TestSupport
import Testing

@Suite("A second client, in another language, from the specification alone", .needsPython)
struct SecondClientTests {
  static let edits = [
    #"[{"amount":"0.5","asset":"crypto:bitcoin","kind":"adjust"},"#
      + #"{"asset":"crypto:bitcoin","category":"Münzen ΣΑΣ İ","kind":"categorize"}]"#,
    #"[{"amount":"250.75","asset":"forex:EUR","kind":"adjust"},"#
      + #"{"amount":"3","asset":"forex:USD","kind":"adjust"},"#
      + #"{"amount":"-1.000000000000000001","asset":"forex:CHF","kind":"adjust"}]"#,
    #"[{"collection":"record","document":"0190f1a0-0000-7000-8000-000000000001","kind":"put","#
      + #""set":{"metadata":{"a":1.5,"b":[null,{"x":"ü\u0001"}]},"title":"First","type":"note"}}]"#,
    #"[{"collection":"record","document":"0190f1a0-0000-7000-8000-000000000001","kind":"put","#
      + #""set":{"subtitle":"s"},"unset":[["metadata","a"]]},"#
      + #"{"collection":"note","document":"0190f1a0-0000-7000-8000-000000000002","#
      + #""kind":"delete"}]"#,
  ]

  @Test("each sees what the other pushed: equal holdings, documents, snapshots and digests")
  func bothWays() throws {
    var world = try World()
    try world.createAccount()
    try world.importAssets()
    try world.importPrices(MainJobTests.prices + ["2026-03-02T05:00:00Z,metal,NEW,7.77"])
    let pushed = try world.second("python", edits: Self.edits)
    #expect(pushed.number("pushed") == 4)
    #expect(pushed.number("pulled") == 4)

    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    #expect(try world.row("phone", "sync").number("pulled") == 4)
    // Folded by the other program, the name is the same category.
    #expect(
      try world.row(
        "phone", "asset", "add", "stock:AAPL", "10", "--category", "MÜNZEN ΣΑΣ İ"
      ).text("amount") == "10")
    _ = try world.row("phone", "asset", "add", "metal:OLD", "4")
    // What is gone again within its slot is still something that happened.
    _ = try world.row("phone", "asset", "add", "stock:GONE", "1")
    _ = try world.row("phone", "asset", "delete", "stock:GONE")
    _ = try world.row(
      "phone", "doc", "put", "record", "--id", "0190f1a0-0000-7000-8000-000000000003",
      #"{"metadata":{"x":{"y":0.000001}},"title":"Second","type":"note"}"#)
    _ = try world.row("phone", "sync")
    #expect(try world.rows("phone", "category", "list").count == 3)

    world.clock = "2026-03-02T19:00:00Z"
    try world.expectAgreement("phone", "python")
    let digest = try world.row("phone", "snapshot", "digest")
    #expect(digest.text("slot") == "2026-03-02T18Z")

    // A device that has nothing restores what both wrote, in either program.
    let restored = try world.row("tablet", "restore", "--server", world.url, "--account", "anna")
    #expect(restored.text("digest") == digest.text("digest"))
    #expect(try world.second("fresh").number("pushed") == 0)
    #expect(try world.shown("fresh").last?.text("stateDigest") == digest.text("stateDigest"))
    try world.expectAgreement("tablet", "fresh")
    #expect(try world.row("phone", "verify").flag("ok") == true)
  }

  @Test("corrected prices reach the second client as they reach ours")
  func corrections() throws {
    var world = try World()
    try world.createAccount()
    try world.importPrices(MainJobTests.prices)
    _ = try world.second("python", edits: Self.edits)
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    world.clock = "2026-03-03T07:00:00Z"
    _ = try world.row("phone", "sync")
    try world.expectAgreement("phone", "python")
    let before = try world.row("phone", "snapshot", "digest").text("digest")
    try world.importPrices([
      "2026-03-01T12:00:00Z,crypto,bitcoin,59000", "2026-03-03T05:00:00Z,forex,EUR,1.2",
    ])
    try world.expectAgreement("phone", "python")
    #expect(try world.row("phone", "snapshot", "digest").text("digest") != before)
  }

  @Test("over TCP, with an acknowledgement that is lost: in effect once")
  func lostAcknowledgement() throws {
    var world = try World()
    try world.createAccount()
    let server = try ServerTests.Listening(world)
    let url = "tcp://\(server.address)"
    let lost = try world.runSecond("python", url: url, edits: Self.edits, "--lose-ack")
    #expect(lost.status == 76, "\(lost.errors)")
    let again = try world.second("python", url: url)
    #expect(again.number("pushed") == 0)
    #expect(again.number("pulled") == 4)
    #expect(server.terminate() == 0)
    world.clock = "2026-03-01T13:00:00Z"
    let later = try ServerTests.Listening(world)
    let laterURL = "tcp://\(later.address)"
    _ = try world.row("phone", "init", "--server", laterURL, "--account", "anna")
    try world.expectAgreement("phone", "python", url: laterURL)
    #expect(later.terminate() == 0)
  }

  @Test("an emptied server is filled by the second client, with the same hashes")
  func emptiedServer() throws {
    var world = try World()
    try world.createAccount()
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "asset", "add", "stock:AAPL", "3")
    _ = try world.row("phone", "sync")
    let head = try world.second("python", edits: Self.edits).object("head")

    try world.folder.remove("server")
    try world.createAccount()
    let filled = try world.second("python")
    #expect(filled.number("refilled") == 5)
    #expect(filled.object("head") == head)
    #expect(try world.row("phone", "sync").number("pulled") == 4)
    world.clock = "2026-03-01T13:00:00Z"
    try world.expectAgreement("phone", "python")
  }

  @Test("a copied store of the second client takes a new identity, and loses nothing")
  func copiedStore() throws {
    var world = try World()
    try world.createAccount()
    _ = try world.second("python", edits: Self.edits)
    try world.folder.write(world.folder.bytes(of: "python.json"), to: "copy.json")
    let edit = #"[{"amount":"1","asset":"stock:X","kind":"adjust"}]"#
    _ = try world.second("python", edits: [edit])
    let copy = try world.second("copy", edits: [edit])
    #expect(copy.flag("renewed") == true)
    #expect(copy.number("pushed") == 1)
    _ = try world.second("python")
    #expect(
      try world.shown("python").first { $0.text("asset") == "stock:X" }?.text("amount") == "2")
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "sync")
    world.clock = "2026-03-01T13:00:00Z"
    try world.expectAgreement("phone", "copy")
  }

  @Test("a server that was rolled back and went on gets what it lost from both programs")
  func forkedLog() throws {
    var world = try World()
    try world.createAccount()
    func add(_ units: Int) -> [String] {
      [#"[{"amount":"\#(units)","asset":"stock:X","kind":"adjust"}]"#]
    }
    _ = try world.second("python", edits: add(1))
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "sync")
    #expect(try world.serve("backup", world.path("backup")).status == 0)
    _ = try world.second("python", edits: add(2))
    _ = try world.row("phone", "asset", "add", "stock:X", "4")
    _ = try world.row("phone", "sync")

    #expect(try world.serve("restore", world.path("backup")).status == 0)
    _ = try world.second("other", edits: add(8))
    _ = try world.second("other", edits: add(16))
    // The second client has its own lost transaction, and the phone both.
    #expect(try world.second("python").number("pulled") == 4)
    _ = try world.row("phone", "sync")
    _ = try world.second("other")
    world.clock = "2026-03-01T13:00:00Z"
    try world.expectAgreement("phone", "python")
    try world.expectAgreement("phone", "other")
    #expect(try world.rows("phone", "asset", "list").map { $0.text("amount") } == ["31"])
  }

  @Test("bodies that cannot be read, and operations of another day, are judged alike")
  func strangeBodies() throws {
    var world = try World()
    try world.createAccount()
    let adjust = #"{"amount":"1","asset":"stock:X","kind":"adjust"}"#
    let bodies = [
      #"{"operations":[{"kind":"later"}]}"#, #"{"operations":[\#(adjust),{"kind":"later"}]}"#,
      #"{"operations":[\#(adjust),{"amount":"1","asset":"x","kind":"adjust"}]}"#,
      #"{"later":1,"operations":[\#(adjust)]}"#, #"{"operations":{}}"#, "{}",
      #"{"operations":[{"amount":"0","asset":"stock:Y","kind":"adjust"}]}"#,
    ]
    #expect(try world.second("python", edits: bodies).number("pushed") == 7)
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    world.clock = "2026-03-01T13:00:00Z"
    try world.expectAgreement(
      "phone", "python", strange: ["unreadable": [3, 5, 6], "waiting": [1, 2]])
    #expect(try world.rows("phone", "asset", "list").map { $0.text("amount") } == ["2"])
  }

  @Test("it reads every published vector as the vector says")
  func vectors() throws {
    let run = try SecondClient.run("check_vectors.py", [SecondClient.protocolFolder + "/vectors"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}

@Suite("The schemas of messages")
struct SchemaTests {
  @Test("every valid line validates, and no line of the wrong shape", .needsPythonJSONSchema)
  func schemas() throws {
    let run = try SecondClient.checkSchemas()
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}
