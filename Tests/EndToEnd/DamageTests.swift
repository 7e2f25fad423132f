import FolioSystem
import TestSupport
import Testing

/// A damaged file, from the command line: named by `verify`, mended by `repair` and a sync.
@Suite("A damaged file")
struct DamageTests {
  /// Two devices that hold the same, in a world with prices and snapshots.
  private func world() throws -> World {
    var world = try World(clock: "2026-03-01T05:00:00Z")
    try world.createAccount()
    try world.importPrices(["2026-03-01T04:00:00Z,crypto,bitcoin,10"])
    for store in ["phone", "tablet"] {
      _ = try world.row(store, "init", "--server", world.url, "--account", "anna")
    }
    try world.phone("crypto:bitcoin", "1")
    try world.phone("stock:DAMAGED", "2")
    world.clock = "2026-03-01T19:00:00Z"
    for store in ["phone", "tablet"] { _ = try world.row(store, "sync") }
    return world
  }

  /// Changes a bit of each place where a file has that text.
  private func damage(_ file: String, _ text: String) throws -> Int {
    try damage(file, Array(text.utf8)) { bytes, start in bytes[start] ^= 1 }
  }

  /// Says of the record that is read first as a file is opened that it is 128 KiB longer, which is
  /// beyond the file's end.
  private func damageLength(_ file: String) throws -> Int {
    // The upper half of the value's length is four bytes before the key's, which the key follows.
    try damage(file, [6, 0] + Array("format".utf8)) { bytes, start in bytes[start - 4] ^= 2 }
  }

  private func damage(
    _ file: String, _ pattern: [UInt8], _ change: (inout [UInt8], _ start: Int) -> Void
  ) throws -> Int {
    var bytes = try Files.read(file)
    var count = 0
    for start in bytes.indices.dropLast(pattern.count)
    where bytes[start..<start + pattern.count].elementsEqual(pattern) {
      change(&bytes, start)
      count += 1
    }
    try Files.write(bytes, to: file)
    return count
  }

  @Test("is named by verify, and repair brings everything back, with the server where it has to")
  func repaired() throws {
    let world = try world()
    let before = try world.rows("tablet", "snapshot", "list").map { $0.text("digest") }
    #expect(try damage(world.path("phone/data.mdb"), "DAMAGED") > 0)
    let verified = try world.run("phone", ["--json", "verify"])
    #expect(verified.status == 65)
    let report = try Row(#require(verified.lines.first))
    #expect(report.flag("ok") == false && report.number("checked") != nil)
    #expect(report.list("problems").contains { $0.text("rule") == "damagedRecord" })
    let told = try world.folio("phone", "verify")
    #expect(told.status == 65 && told.output.contains("damagedRecord"), "\(told.output)")

    let repair = try world.run("phone", ["--json", "repair"])
    #expect(repair.status == 0, "\(repair.errors) \(repair.output)")
    _ = try world.row("phone", "sync")
    #expect(try world.row("phone", "verify").flag("ok") == true)
    #expect(try world.rows("phone", "asset", "list").map { $0.text("amount") } == ["1", "2"])
    #expect(try world.rows("phone", "snapshot", "list").map { $0.text("digest") } == before)
  }

  @Test("of a server is named by its verify, and a backup or a client fills it again")
  func server() throws {
    let world = try world()
    try world.server("backup", world.path("backup"))
    #expect(try damage(world.data + "/data.mdb", "DAMAGED") > 0)
    let verified = try world.serve("verify", "--json")
    #expect(verified.status == 65)
    let report = try Row(#require(verified.lines.first))
    #expect(report.flag("ok") == false)
    #expect(report.list("problems").contains { $0.text("code") == "damaged" })
    // Nobody is given what is damaged.
    let joined = try world.folio("new", "restore", "--server", world.url, "--account", "anna")
    #expect(joined.status != 0)
    try world.server("restore", world.path("backup"))
    let sound = try world.serve("verify", "--json")
    #expect(sound.status == 0, "\(sound.output)")
    for store in ["phone", "tablet"] { _ = try world.row(store, "sync") }
    #expect(try world.rows("phone", "asset", "list").map { $0.text("amount") } == ["1", "2"])
  }

  @Test("that would end whoever opens it is named by verify, which looks before it opens")
  func lengths() throws {
    let world = try world()
    #expect(try damageLength(world.path("phone/data.mdb")) > 0)
    let verified = try world.run("phone", ["--json", "verify"])
    #expect(verified.status == 65, "\(verified.status) \(verified.errors)")
    let report = try Row(#require(verified.lines.first))
    #expect(report.list("problems").contains { $0.text("rule") == "damagedPages" })

    try world.server("backup", world.path("backup"))
    for folder in [world.data, world.path("backup")] {
      #expect(try damageLength(folder + "/data.mdb") > 0)
    }
    let served = try world.serve("verify", "--json")
    #expect(served.status == 65, "\(served.status) \(served.errors)")
    let problems = try Row(#require(served.lines.first)).list("problems")
    #expect(problems.contains { $0.text("code") == "damaged" })
    let restored = try world.serve("restore", world.path("backup"))
    #expect(restored.errors.contains("damaged"), "\(restored.status) \(restored.errors)")
  }

  @Test("whose end is missing is refused, and nothing is written on it")
  func cut() throws {
    let world = try world()
    let file = world.path("phone/data.mdb")
    var bytes = try Files.read(file)
    bytes.removeLast(bytes.count / 2)
    try Files.write(bytes, to: file)
    for words in [["verify"], ["repair"], ["sync"], ["asset", "list"]] {
      let run = try world.run("phone", ["--json"] + words)
      #expect(run.status == 65, "\(words): \(run.status) \(run.errors)")
      #expect(try Files.read(file) == bytes)
    }
  }
}
