import FolioDomain
import Foundation

/// A device restored from its server, program to program over standard input and output.
///
/// Ten years of price tables of 200 assets, each with another price in each of 14,610 slots, and a log
/// of transactions spread over them, to verified snapshots. SQLite gets the same in batches: a row for
/// each transaction, and one with what is held and what it costs for each slot and asset; nothing is
/// sent to it, nor checked. The memory is what each program has of its own, with ten times as many
/// transactions beside as many; in the short run three times as many.
enum RestoreBenchmark: Benchmark {
  static let name = "restore"
  static let title = "a device restored over standard input and output / inserted in SQLite"
  static let bar = "as fast; 100,000 transactions a second; memory 1.2 times at 10 times the size"
  static let size = Size(100_000, "transactions, 10 years of price tables, 200 assets")
  static let slots = 14_610
  static let assets = 200
  static let rounds = 5
  static let least = 1.0
  static let rateBar = 100_000.0
  static let memoryBar = 1.2
  static let mebibytesBar = 150.0

  static func libraries() -> [String] { [SQLite.version] }

  static func measure(_ run: Run) throws {
    let programs = try run.programs()
    let count = run.count(size)
    try run.inFolder("restore") { folder in
      let years = try content(count)
      let prices = BenchServer(folder: "\(folder)/prices", programs: programs)
      try prices.prepare(years)
      let server = try copy(prices, to: "\(folder)/server")
      let log = try server.fill(years)
      var runs: [RestoreRun] = []
      var peer: [InsertRun] = []
      for _ in 0..<rounds {
        runs.append(
          try RestoreRun(from: server, at: "\(folder)/store", programs, count: count))
        peer.append(try InsertRun(years, log, at: "\(folder)/peer.sqlite"))
      }
      try report(runs, peer, count, run.output)
      let other = count * (run.isLong ? 10 : 3)
      let otherYears = try content(other)
      let otherServer = try copy(prices, to: "\(folder)/other")
      try otherServer.fill(otherYears)
      let one = try RestoreRun(
        from: otherServer, at: "\(folder)/store", programs, count: other)
      try reportMemory(runs, count, one, other, run)
    }
  }

  private static func content(_ count: Int) throws -> TenYears {
    try TenYears(slotCount: slots, assetCount: assets, transactionCount: count)
  }

  private static func copy(_ prices: BenchServer, to folder: String) throws -> BenchServer {
    try FileManager.default.copyItem(atPath: prices.folder, toPath: folder)
    return BenchServer(folder: folder, programs: prices.programs)
  }

  private static func report(
    _ runs: [RestoreRun], _ peer: [InsertRun], _ count: Int, _ output: Output
  ) throws {
    let both = Rounds(ours: runs.map(\.seconds), peer: peer.map(\.seconds))
    try output.add(.ratio("restore / SQLite", both, atLeast: least))
    try output.add(.plain("restore", both.ours, "s"))
    try output.add(.plain("restore, SQLite", both.peer, "s"))
    try output.add(.plain("restore.processor", runs.map(\.processorSeconds), "s"))
    var rate = Figure.plain(
      "restore.log", runs.map { Double(count) / $0.logSeconds }, "a second")
    rate.bar = .atLeast(rateBar)
    rate.note = "from the start of the program"
    try output.add(rate)
    try output.add(
      .plain("restore.log, SQLite", peer.map { Double(count) / $0.logSeconds }, "a second"))
    try output.add(.plain("restore.prices", runs.map(\.pricesSeconds), "s"))
    try output.add(.plain("restore.snapshots", runs.map(\.snapshotsSeconds), "s"))
  }

  private static func reportMemory(
    _ runs: [RestoreRun], _ count: Int, _ one: RestoreRun, _ other: Int, _ run: Run
  ) throws {
    for (name, memory) in [
      ("client", \RestoreRun.clientMemory), ("server", \RestoreRun.serverMemory),
    ] {
      let (few, many) = (runs.map { $0[keyPath: memory] }.median, one[keyPath: memory])
      try run.output.add(
        Figure(
          name: "restore.memory.\(name), \(other) / \(count)", value: many / few,
          unit: "times", bar: .atMost(memoryBar),
          note: "peak anonymous resident memory; mapped pages are the system's cache"))
      try run.output.add(
        Figure(
          name: "restore.memory.\(name), \(other)", value: many, unit: "MiB",
          bar: .atMost(mebibytesBar)))
    }
    var growth = Growth(name: "restore.log, a transaction", unit: "transactions")
    growth.add(count, runs.map { $0.logSeconds * 1e9 / Double(count) })
    growth.add(other, [one.logSeconds * 1e9 / Double(other)])
    try run.output.add(growth)
  }
}

/// The same data inserted in SQLite, in batches.
struct InsertRun {
  private(set) var seconds = 0.0
  private(set) var logSeconds = 0.0

  /// Makes a database, looks at what is in it, and removes it.
  init(_ years: TenYears, _ log: [LogEntry], at path: String) throws {
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    let begin = Stopwatch.wall()
    let database = try SQLite(path)
    try insert(log, database)
    logSeconds = Double(Stopwatch.wall() - begin) / 1e9
    try years.fill(database)
    _ = try database.byteCount()
    seconds = Double(Stopwatch.wall() - begin) / 1e9
    let counts = try database.prepare(
      "SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM holding)")
    _ = try counts.step()
    let found = (counts.integer(0), counts.integer(1))
    counts.finalize()
    database.close()
    try demand(
      found == (log.count, years.slotCount * years.content.assets.count), "rows are missing")
  }

  private func insert(_ log: [LogEntry], _ database: SQLite) throws {
    try database.execute(
      """
      CREATE TABLE log(
        seq INTEGER PRIMARY KEY, id BLOB NOT NULL, device BLOB NOT NULL, sequence INTEGER NOT NULL,
        recorded INTEGER NOT NULL, accepted INTEGER NOT NULL, body BLOB NOT NULL) STRICT
      """)
    let row = try database.prepare("INSERT INTO log VALUES(?,?,?,?,?,?,?)")
    for begin in stride(from: 0, to: log.count, by: 1_000) {
      try database.transaction {
        for entry in log[begin..<min(begin + 1_000, log.count)] {
          let transaction = entry.transaction
          row.bind(1, Int(entry.seq))
          row.bind(2, withUnsafeBytes(of: transaction.id.value.bigEndian) { Array($0) })
          row.bind(3, withUnsafeBytes(of: transaction.device.value.bigEndian) { Array($0) })
          row.bind(4, Int(transaction.deviceSequence))
          row.bind(5, Int(transaction.recordedAt.milliseconds))
          row.bind(6, Int(entry.acceptedAt.milliseconds))
          row.bind(7, transaction.body)
          try row.run()
        }
      }
    }
    row.finalize()
  }
}

/// The project's programs.
struct Programs {
  /// The client's command line.
  let folio: String
  /// The server's.
  let server: String

  /// Those in a folder.
  init(in folder: String) throws {
    folio = folder + "/folio"
    server = folder + "/folio-server"
    for program in [folio, server] where !FileManager.default.isExecutableFile(atPath: program) {
      throw Command.Failed(description: "\(program) is not there; name its folder by --programs")
    }
  }
}
