import TestSupport
import Testing

@Suite("Records and documents, by the program")
struct RecordTests {
  @Test("create, get, update by field, delete softly, take back")
  func whole() throws {
    let world = try World()
    _ = try world.row("s", "init")
    let made = try world.row(
      "s", "record", "create", "--type", "bill", "--title", "  Rent  ", "--subtitle", "May",
      "--metadata", #"{"sum":"900","tags":["a"],"odd":{"x":null}}"#, "--user", "u1")
    let id = try #require(made.text("id"))
    #expect(made.text("title") == "Rent" && made.text("type") == "bill")
    #expect(made.text("subtitle") == "May" && made.text("userId") == "u1")
    #expect(made.object("metadata")?.text("sum") == "900")
    #expect(made.object("fields")?.object("metadata")?.names == ["sum", "tags", "odd"])
    #expect(made.flag("isDeleted") == false && made.flag("pending") == true)
    #expect(made.text("createdAt") == made.text("updatedAt"))
    #expect(try world.row("s", "record", "get", id) == made)
    let changed = try world.row(
      "s", "record", "update", id, "--title", "Rent of May", "--metadata", #"{"paid":true}"#,
      "--unset", "subtitle,metadata.odd")
    #expect(changed.text("title") == "Rent of May" && changed.isNull("subtitle"))
    #expect(changed.object("metadata")?.names == ["sum", "tags", "paid"])
    #expect(changed.text("userId") == "u1")
    // A field that no option knows stays.
    _ = try world.row("s", "doc", "put", "record", #"{"colour":"red"}"#, "--id", id)
    #expect(
      try world.row("s", "record", "update", id, "--type", "note").object("fields")?.text("colour")
        == "red")
    let deleted = try world.row("s", "record", "delete", id)
    #expect(deleted.flag("isDeleted") == true && deleted.text("title") == "Rent of May")
    #expect(try world.folio("s", "record", "get", id).status == 66)
    #expect(try world.row("s", "record", "get", id, "--deleted").flag("isDeleted") == true)
    #expect(try world.folio("s", "record", "update", id, "--subtitle", "x").status == 66)
    #expect(try world.folio("s", "record", "delete", id).status == 66)
    let back = try world.row("s", "record", "update", id, "--undelete", "--subtitle", "x")
    #expect(back.flag("isDeleted") == false && back.text("subtitle") == "x")
    #expect(try world.row("s", "verify").flag("ok") == true)
  }

  @Test("lists: by type, by creation, update or title, page by page, deleted ones on request")
  func lists() throws {
    let world = try World()
    _ = try world.row("s", "init")
    var ids: [String: String] = [:]
    for (title, type) in [
      ("Cherry", "fruit"), ("apple", "fruit"), ("Birch", "tree"), ("fig", "fruit"),
    ] {
      let row = try world.row("s", "record", "create", "--type", type, "--title", title)
      ids[title] = row.text("id")
    }
    func titles(_ arguments: String...) throws -> [String?] {
      try World.client.run(
        ["--json", "--store", world.path("s"), "record", "list"] + arguments
      ).lines.map { try Row($0).text("title") }
    }
    #expect(try titles("--sort", "title") == ["apple", "Birch", "Cherry", "fig"])
    #expect(
      try titles("--sort", "title", "--type", "fruit", "--descending") == [
        "fig", "Cherry", "apple",
      ])
    _ = try world.row("s", "record", "delete", try #require(ids["apple"]))
    #expect(try titles("--sort", "title", "--type", "fruit") == ["Cherry", "fig"])
    #expect(
      try titles("--sort", "title", "--type", "fruit", "--deleted") == ["apple", "Cherry", "fig"])
    for order in ["created", "updated", "title"] {
      var all: [String?] = []
      var next: [String] = []
      for _ in 0..<5 {
        let run = try World.client.run(
          ["--json", "--store", world.path("s"), "record", "list", "--sort", order, "--limit", "1"]
            + next)
        guard let line = run.lines.first else { break }
        #expect(run.lines.count == 1)
        let row = try Row(line)
        all.append(row.text("title"))
        next = ["--after", try #require(row.text("cursor"))]
      }
      #expect(Set(all) == ["Birch", "Cherry", "fig"] && all.count == 3, "\(order)")
      #expect(try titles("--sort", order) == all)
      #expect(try titles("--sort", order, "--descending") == all.reversed())
    }
    #expect(try world.folio("s", "record", "list").output.contains("Birch"))
    #expect(try world.folio("s", "record", "list", "--after", "nonsense").status == 65)
    #expect(try world.folio("s", "record", "list", "--limit", "0").status == 64)
    #expect(try world.folio("s", "record", "list", "--limit", "1001").status == 65)
    #expect(try world.folio("s", "record", "list", "--sort", "size").status == 64)
  }

  @Test("each rule of records has a code of its own, and nothing is changed")
  func rules() throws {
    let world = try World()
    _ = try world.row("s", "init")
    let first = try world.row("s", "record", "create", "--type", "bill", "--title", "Rent")
    let id = try #require(first.text("id"))
    let other = try world.row("s", "record", "create", "--type", "bill", "--title", "Power")
    for (arguments, code) in [
      (["create", "--type", "bill", "--title", "ab"], "titleTooShort"),
      (["create", "--type", "bill", "--title", String(repeating: "x", count: 51)], "titleTooLong"),
      (
        ["create", "--type", "bill", "--title", String(repeating: "👨‍👩‍👧", count: 12)],
        "titleTooManyBytes"
      ),
      (["create", "--type", "bill", "--title", "a\tbc"], "titleControlCharacter"),
      (["create", "--type", "bill", "--title", " RENT"], "titleTaken"),
      (["update", try #require(other.text("id")), "--title", "rent"], "titleTaken"),
      (["create", "--type", "t", "--title", "Some", "--metadata", "[]"], "metadataNotObject"),
      (["create", "--type", "t", "--title", "Some", "--metadata", "{"], nil),
      (["update", id, "--unset", "title"], "recordFieldMissing"),
      (["update", id, "--subtitle", "x", "--unset", "subtitle"], "fieldSetAndUnset"),
      (["update", id, "--unset", "createdAt"], "fieldReserved"),
      (["get", "nonsense"], nil),
    ] as [([String], String?)] {
      let run = try World.client.run(["--json", "--store", world.path("s"), "record"] + arguments)
      #expect(run.status == 65, "\(arguments): \(run.status) \(run.errors)")
      if let code { #expect(try Row(run.errors).text("code") == code, "\(arguments)") }
    }
    let taken = try world.folio("s", "record", "create", "--type", "bill", "--title", "rent")
    #expect(taken.errors.contains(id), "the record in the way is named")
    for arguments in [
      ["create", "--title", "Rent"], ["create", "--type", "bill"], ["update", id], ["update"],
    ] {
      let run = try World.client.run(["--store", world.path("s"), "record"] + arguments)
      #expect(run.status == 64, "\(arguments): \(run.errors)")
    }
    let none = "00000000-0000-4000-8000-000000000000"
    #expect(try world.folio("s", "record", "get", none).status == 66)
    #expect(
      try world.folio("s", "record", "update", none, "--type", "x", "--title", "Some").status == 66)
    #expect(try world.rows("s", "record", "list").count == 2)
    #expect(try world.row("s", "record", "get", id) == first)
  }

  @Test("documents of any collection: merged field by field, listed, deleted, taken back")
  func documents() throws {
    let world = try World()
    _ = try world.row("s", "init")
    let id = "00000000-0000-4000-8000-00000000000a"
    let made = try world.row("s", "doc", "put", "note", #"{"a":1,"b":null,"type":"x"}"#, "--id", id)
    #expect(made.text("id") == id)
    #expect(made.object("fields")?.isNull("b") == true)
    let changed = try world.row(
      "s", "doc", "put", "note", #"{"c":"é"}"#, "--id", id, "--unset", "a")
    #expect(changed.object("fields")?.names == ["b", "c", "type"])
    let second = try world.row("s", "doc", "put", "note", "{}")
    #expect(try world.rows("s", "doc", "list", "note").count == 2)
    #expect(try world.rows("s", "doc", "list", "note", "--type", "x").map { $0.text("id") } == [id])
    #expect(try world.rows("s", "doc", "list", "other").isEmpty)
    let gone = try world.row("s", "doc", "delete", "note", try #require(second.text("id")))
    #expect(gone.flag("isDeleted") == true)
    #expect(try world.rows("s", "doc", "list", "note").count == 1)
    #expect(try world.rows("s", "doc", "list", "note", "--deleted").count == 2)
    #expect(
      try world.folio("s", "doc", "get", "note", try #require(second.text("id"))).status == 66)
    _ = try world.row("s", "doc", "delete", "note", id)
    // A put does not undelete unless it says so.
    #expect(
      try world.row("s", "doc", "put", "note", #"{"d":1}"#, "--id", id).flag("isDeleted") == true)
    #expect(
      try world.row("s", "doc", "put", "note", "{}", "--id", id, "--undelete").flag("isDeleted")
        == false)
    #expect(try world.row("s", "doc", "get", "note", id).object("fields")?.number("d") == 1)
  }

  @Test("fields that two devices changed apart both survive, and a new device has all of it")
  func twoDevices() throws {
    let world = try World()
    try world.createAccount()
    for store in ["a", "b"] {
      _ = try world.row(store, "init", "--server", world.url, "--account", "anna")
    }
    let made = try world.row(
      "a", "record", "create", "--type", "bill", "--title", "Rent", "--metadata", #"{"k":{"x":1}}"#)
    let id = try #require(made.text("id"))
    _ = try world.row("a", "sync")
    _ = try world.row("b", "sync")
    _ = try world.row("a", "record", "update", id, "--subtitle", "May", "--metadata", #"{"m":1}"#)
    _ = try world.row("b", "record", "update", id, "--title", "Rent 5", "--metadata", #"{"n":2}"#)
    _ = try world.row("a", "record", "create", "--type", "bill", "--title", "Power")
    _ = try world.row("b", "record", "create", "--type", "bill", "--title", "power")
    for store in ["a", "b", "a"] { _ = try world.row(store, "sync") }
    let merged = try world.row("a", "record", "get", id)
    #expect(merged.text("subtitle") == "May" && merged.text("title") == "Rent 5")
    #expect(merged.object("metadata")?.names == ["k", "m", "n"])
    #expect(merged.flag("pending") == false)
    #expect(try world.row("b", "record", "get", id) == merged)
    _ = try world.row("new", "restore", "--server", world.url, "--account", "anna")
    #expect(try world.row("new", "record", "get", id) == merged)
    let lists = try ["a", "b", "new"].map {
      try world.rows($0, "record", "list", "--sort", "title", "--deleted")
    }
    // The two that were made apart are both there, in the order of their ids.
    #expect(
      Set(lists[0].prefix(2).map { $0.text("title") }) == ["Power", "power"]
        && lists[0].map { $0.text("title") }.last == "Rent 5")
    #expect(lists[0] == lists[1] && lists[0] == lists[2])
    for store in ["a", "b", "new"] {
      #expect(try world.row(store, "verify").flag("ok") == true)
    }
  }
}
