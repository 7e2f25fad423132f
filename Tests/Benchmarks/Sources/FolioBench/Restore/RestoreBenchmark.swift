import FolioDomain
import Foundation

/// A device restored from its server, program to program over standard input and output.
///
/// Ten years of price tables of 200 assets, each with another price in each of 14,610 slots, and a log
/// of transactions spread over them. Restored with 10,000 and with 100,000 transactions, alternating:
/// time, the log's part of it, and the memory of its own that each program takes.
enum RestoreBenchmark: Benchmark {
  static let name = "restore"
  static let title = "a device restored over standard input and output"
  static let bar = "30 seconds; memory at most 1.3 times"
  static let size = Size(100_000, "transactions, 10 years of price tables, 200 assets")
  static let slots = 14_610
  static let assets = 200
  static let counts = [10_000, 100_000]
  static let rounds = 3
  static let secondsBar = 30.0
  static let memoryBar = 1.3

  static func measure(_ run: Run) throws {
    let output = run.output
    let programs = try Programs()
    let root = run.folder + "/restore"
    try? FileManager.default.removeItem(atPath: root)
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let servers = try makeServers(root, programs, output)
    var runs = counts.map { _ in [RestoreRun]() }
    for round in 0..<rounds {
      for (index, server) in servers.enumerated() {
        output.note("round \(round + 1) of \(rounds): restoring \(counts[index]) transactions")
        runs[index].append(
          try RestoreRun(from: server, at: "\(root)/store", programs, count: counts[index]))
      }
    }
    try report(runs, output)
  }

  /// A server's folder for each number of transactions, with the same prices.
  private static func makeServers(
    _ root: String, _ programs: Programs, _ output: Output
  ) throws -> [BenchServer] {
    output.note("importing \(slots) price tables of \(assets) assets")
    let content = try Content(assetCount: assets)
    let prices = BenchServer(folder: "\(root)/prices", programs: programs)
    try prices.prepare(content)
    return try counts.map { count in
      output.note("giving the server \(count) transactions")
      let server = BenchServer(folder: "\(root)/server-\(count)", programs: programs)
      try FileManager.default.copyItem(atPath: prices.folder, toPath: server.folder)
      try server.fill(content, count: count)
      return server
    }
  }

  private static func report(_ runs: [[RestoreRun]], _ output: Output) throws {
    for (count, runs) in zip(counts, runs) {
      let name = "restore.\(count)"
      var seconds = Figure.plain("\(name)", runs.map(\.seconds), "s")
      if count == counts.last { seconds.bar = .atMost(secondsBar) }
      try output.add(seconds)
      try output.add(.plain("\(name).processor", runs.map(\.processorSeconds), "s"))
      try output.add(.plain("\(name).log", runs.map(\.logSeconds), "s"))
      try output.add(
        .plain("\(name).log.rate", runs.map { Double(count) / $0.logSeconds }, "a second"))
      try output.add(.plain("\(name).prices", runs.map(\.pricesSeconds), "s"))
      try output.add(.plain("\(name).snapshots", runs.map(\.snapshotsSeconds), "s"))
      try output.add(.plain("\(name).client.RssAnon", runs.map(\.clientMemory), "MiB"))
      try output.add(.plain("\(name).server.RssAnon", runs.map(\.serverMemory), "MiB"))
    }
    guard let few = runs.first, let many = runs.last else { return }
    for (name, memory) in [
      ("client", \RestoreRun.clientMemory), ("server", \RestoreRun.serverMemory),
    ] {
      try output.add(
        Figure(
          name: "restore.memory.\(name), 100,000 / 10,000",
          value: many.map { $0[keyPath: memory] }.median / few.map { $0[keyPath: memory] }.median,
          unit: "times", bar: .atMost(memoryBar),
          note: "peak anonymous resident memory; mapped pages are the system's cache"))
    }
  }
}

/// The project's programs.
struct Programs {
  /// The client's command line.
  let folio: String
  /// The server's.
  let server: String

  /// Those that were built together with this one.
  init() throws {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = own.deletingLastPathComponent()
    folio = folder.appending(path: "folio").path
    server = folder.appending(path: "folio-server").path
    for program in [folio, server] where !FileManager.default.isExecutableFile(atPath: program) {
      throw Command.Failed(description: "\(program) is not there")
    }
  }
}
