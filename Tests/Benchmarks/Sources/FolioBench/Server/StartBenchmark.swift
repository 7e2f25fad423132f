import FolioDomain
import FolioSystem
import Foundation

/// What the programs cost before they do anything: time, memory, size, and what they link.
///
/// The time from starting `folio asset list` on a store of ten years to the end of its answer, beside
/// `sqlite3` asked for as many rows of a database of the same ten years; the memory of both programs
/// at rest; the size of their files; the libraries that are loaded with them.
enum StartBenchmark: Benchmark {
  static let name = "start"
  static let title =
    "the first answer on 10 years / the sqlite3 program; memory, size and libraries"
  static let bar = "at most twice the time; 4 MiB at rest; no library that is not needed"
  static let size = Size(14_610, "slots, 200 assets, 10,000 transactions")
  static let rounds = 25
  static let timeBar = 0.5
  static let memoryBar = 4.0
  static let sizeBar = 32.0

  static func libraries() -> [String] {
    [Command.firstLine("sqlite3", "--version").map { "sqlite3 \($0.prefix { $0 != " " })" }]
      .compactMap(\.self)
  }

  static func measure(_ run: Run) throws {
    try run.inFolder("start") { root in
      let programs = try run.programs()
      let years = try TenYears(
        slotCount: run.count(size), assetCount: ReportBenchmark.assets,
        transactionCount: ReportBenchmark.transactions)
      try years.makeStore(root + "/store").close()
      try years.makeDatabase(root + "/peer.sqlite").close()
      try firstAnswer(run, programs, root)
      try memory(run, programs, root)
      for (name, path) in [("folio", programs.folio), ("folio-server", programs.server)] {
        try files(run, name, path, root + "/stripped")
      }
    }
  }

  private static func firstAnswer(_ run: Run, _ programs: Programs, _ root: String) throws {
    let ours = [programs.folio, "--store", root + "/store", "asset", "list"]
    // What an asset is worth now, by its holding of the last slot.
    let query =
      "SELECT a.type, a.code, c.name, h.amount, h.price, h.amount * h.price FROM holding h "
      + "JOIN asset a ON a.id = h.asset JOIN category c ON c.id = h.category "
      + "WHERE h.slot = (SELECT max(slot) FROM holding) AND h.amount <> 0 ORDER BY a.type, a.code"
    let peer = ["sqlite3", root + "/peer.sqlite", query]
    let label = "start, asset list on 10 years / sqlite3"
    guard Command.firstLine("sqlite3", "--version") != nil else {
      try run.output.add(
        Figure(
          name: label, value: 0, unit: "times", bar: .atLeast(timeBar),
          note: "sqlite3 is not installed: nothing was compared"))
      return
    }
    // Our list has a line of heads.
    let rows = try (lines(ours) - 1, lines(peer))
    try demand(rows.0 >= rows.1 && rows.1 > 0, "the lists have \(rows.0) and \(rows.1) rows")
    let measured = try Rounds.alternating(
      rounds, ours: { try time(ours) }, peer: { try time(peer) })
    try run.output.add(
      .ratio(label, measured, atLeast: timeBar, note: "from starting the program to its end"))
    try run.output.add(
      .plain("start, asset list on 10 years", measured.ours.map { $0 / 1e6 }, "ms"))
    try run.output.add(.plain("start, sqlite3", measured.peer.map { $0 / 1e6 }, "ms"))
  }

  private static func lines(_ words: [String]) throws -> Int {
    try Command.run(words).split(separator: "\n").count
  }

  /// The nanoseconds from starting a program to its end, what it says thrown away.
  private static func time(_ words: [String]) throws -> Double {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    var status: Int32 = 0
    let begin = Stopwatch.wall()
    let code = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    guard code == 0, waitpid(process, &status, 0) == process, status == 0 else {
      throw Command.Failed(description: "\(words[0]) did not run well: \(code), \(status)")
    }
    return Double(Stopwatch.wall() - begin)
  }

  /// Both programs as they wait: the server for clients, the client for changes of its store.
  private static func memory(_ run: Run, _ programs: Programs, _ root: String) throws {
    let server = try OurServer(programs, root + "/server", accounts: 1) { _ in 0 }
    defer { server.stop() }
    let client = try ServerProcess(
      [programs.folio, "--store", root + "/store", "watch"], log: root + "/watch.log")
    defer { client.stop() }
    sleep(2)
    for (name, process) in [("folio watch", client.id), ("folio-server", server.id)] {
      guard let memory = ProcessMemory.of(process: process) else {
        throw Command.Failed(description: "\(name) does not run, or its memory is not told")
      }
      try run.output.add(
        Figure(
          name: "start, memory of \(name) at rest",
          value: Double(memory.anonymousByteCount) / 1_048_576, unit: "MiB",
          bar: .atMost(memoryBar),
          note: "anonymous; mapped \(memory.mappedByteCount >> 10) KiB apart"))
    }
  }

  private static func files(
    _ run: Run, _ name: String, _ path: String, _ stripped: String
  ) throws {
    // As it is installed.
    _ = try Command.run(["strip", "-o", stripped, path])
    let attributes = try FileManager.default.attributesOfItem(atPath: stripped)
    let bytes = (attributes[.size] as? Int) ?? 0
    try run.output.add(
      Figure(
        name: "start, size of \(name)", value: Double(bytes) / 1_048_576, unit: "MiB",
        bar: .atMost(sizeBar)))
    // Libraries are in the program, or loaded with it: names of functions tell the ones, files the others.
    let loaded = try Command.run(["ldd", path]).split(separator: "\n").filter { $0.contains(".so") }
    let functions = try Command.run(["nm", path]).split(separator: "\n")
    let unneeded = ["Foundation", "libicu", "ucol_", "xmlParse", "curl_"].filter { library in
      loaded.contains { $0.contains(library) } || functions.contains { $0.contains(library) }
    }
    try run.output.add(
      Figure(
        name: "start, libraries of \(name) that are not needed", value: Double(unneeded.count),
        unit: "", bar: .atMost(0),
        note: (["\(loaded.count) loaded"] + unneeded).joined(separator: ", ")))
  }
}
