import FolioApp
import FolioDomain
import FolioStore
import Foundation

/// The full report over ten years, and the room that they take, beside SQLite with a row for each slot
/// and asset.
///
/// The report has the figures of the whole, of categories, types and assets, and a point for each
/// slot. SQLite joins each row with that of the slot before, once, and keeps what changed more than its
/// price in a temporary table: all levels are grouped from that.
enum ReportBenchmark: Benchmark {
  static let name = "report"
  static let title =
    "the full report over 10 years, and their bytes / SQLite, a row a slot and asset"
  static let bar = "20 times as fast, below 150 ms; a fifth of the bytes, 64 of a slot"
  static let size = Size(14_610, "slots, 200 assets, 10,000 transactions")
  static let assets = 200
  static let transactions = 10_000
  static let rounds = 5
  static let least = 20.0
  static let millisecondsBar = 150.0
  static let bytesBar = 0.2
  static let slotBytesBar = 64.0

  static func libraries() -> [String] { [SQLite.version] }

  static func measure(_ run: Run) throws {
    try run.inFolder("report") { folder in
      let years = try TenYears(
        slotCount: run.count(size), assetCount: assets, transactionCount: transactions)
      let store = try years.makeStore(folder + "/store")
      defer { store.close() }
      let database = try years.makeDatabase(folder + "/peer.sqlite")
      defer { database.close() }
      try bytes(run.output, folder, database, slots: run.count(size))
      let peer = try SQLiteReport(database)
      let (ours, theirs) = (try Self.report(store), try peer.figures())
      let same = PlainReport(ours)
      try demand(same == theirs, "the two reports differ: \(same.difference(theirs))")
      let measured = try Rounds.alternating(
        rounds,
        ours: { try Stopwatch.processor(3) { _ = try Self.report(store) } },
        peer: { try Stopwatch.processor(1) { _ = try peer.figures() } })
      try run.output.add(.ratio("report / SQLite", measured, atLeast: least))
      var time = Figure.plain("report", measured.ours.map { $0 / 1e6 }, "ms")
      time.bar = .atMost(millisecondsBar)
      try run.output.add(time)
      try run.output.add(.plain("report, SQLite", measured.peer.map { $0 / 1e6 }, "ms"))
      try growth(run, store)
    }
  }

  private static func report(_ store: Store, slots: Int? = nil) throws -> Report {
    try store.read { state in
      let last = try state.through()
      let from = slots.flatMap { count in last.map { Slot(index: $0.index - Int64(count) + 1) } }
      return try state.report(from: from)
    }
  }

  /// What a slot of a report costs, by how many it has.
  private static func growth(_ run: Run, _ store: Store) throws {
    let sizes = [146, 1_461, 14_610].map { min($0, run.count(size)) }
    try run.output.add(
      try .measure("report, a slot", of: "slots", sizes: sizes, rounds: 5) { place in
        let slots = sizes[place]
        let time = try Stopwatch.processor(14_610 / slots) { _ = try report(store, slots: slots) }
        return time / Double(slots)
      })
  }

  private static func bytes(
    _ output: Output, _ folder: String, _ database: SQLite, slots: Int
  ) throws {
    let spaces = try StoreBytes.measure(folder + "/store")
    let log = spaces["gate.sync/log"] ?? 0
    let ours = spaces.values.reduce(0, +) - log
    let peer = try database.byteCount()
    let greatest = spaces.sorted { $0.value > $1.value }.prefix(6)
      .map { "\($0.key) \(($0.value >> 10).formatted()) KiB" }
    try output.add(
      Figure(
        name: "report.bytes / SQLite", value: Double(ours) / Double(peer), unit: "times",
        bar: .atMost(bytesBar), note: greatest.joined(separator: ", ")))
    let mebibyte = Double(1 << 20)
    try output.add(
      Figure(
        name: "report.bytes, a slot beside its price table",
        value: Double(spaces["domain.portfolio/snapshots"] ?? 0) / Double(slots), unit: "bytes",
        bar: .atMost(slotBytesBar)))
    try output.add(
      Figure(
        name: "report.bytes, a price",
        value: Double(spaces["domain.market/prices"] ?? 0) / Double(slots * assets), unit: "bytes"))
    try output.add(Figure(name: "report.bytes", value: Double(ours) / mebibyte, unit: "MiB"))
    try output.add(
      Figure(name: "report.bytes, SQLite", value: Double(peer) / mebibyte, unit: "MiB"))
  }
}
