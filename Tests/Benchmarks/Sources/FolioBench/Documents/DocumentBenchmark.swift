import CBaseline
import FolioDomain
import FolioJSON
import FolioStore
import Foundation

/// Documents of 1 KB put in batches of 1,000, each batch durable at once, and got again.
///
/// A put makes what a put is here: the document, its places in the lists, and the transaction that
/// waits to be sent. SQLite puts the same: a row of the document with the columns that the lists need
/// and their indexes, and a row that waits to be sent. LMDB from C does the same puts, record by
/// record.
///
/// What LMDB puts from C is taken from a data file: keys and values are made already, checksums
/// among them, it is known what is new, and all of a batch stands in the order of keys. An app of its
/// own would have documents in no such order, and would make text of each of them. Here each save of
/// a batch brings its own records into order. Both sides commit a batch once, to the same records.
///
/// A get gives the document's fields as values: SQLite's text, and the value that LMDB gives from C,
/// are read by the same parser.
enum DocumentBenchmark: Benchmark {
  static let name = "document"
  static let title = "documents of 1 KB, put and got in batches of 1,000 / SQLite; LMDB from C"
  static let bar = "as fast as SQLite; 0.8 of LMDB from C"
  static let size = Size(10_000, long: 20_000, "documents")
  static let batch = 1_000
  static let sqliteBar = 1.0
  static let engineBar = 0.8

  static func libraries() -> [String] { [SQLite.version] }

  static func measure(_ run: Run) throws {
    try run.inFolder("document") { folder in
      let work = try DocumentWork(folder, count: run.count(size))
      defer { work.close() }
      try puts(work, run.output)
      try gets(work, run.output)
    }
  }

  private static func puts(_ work: DocumentWork, _ output: Output) throws {
    var times: [[Double]] = [[], [], []]
    for batch in 0..<work.batchCount {
      // Whoever comes first finds the disk as another left it.
      for side in 0..<3 {
        let place = (side + batch) % 3
        let time = try work.put(batch, side: DocumentWork.Side.allCases[place])
        if batch > 0 { times[place].append(time) }
      }
    }
    let (ours, sqlite, engine) = (times[0], times[1], times[2])
    try output.add(
      .ratio("document.put / SQLite", Rounds(ours: ours, peer: sqlite), atLeast: sqliteBar))
    try output.add(
      .ratio("document.put / LMDB from C", Rounds(ours: ours, peer: engine), atLeast: engineBar))
    for (name, times) in zip(["", ", SQLite", ", LMDB from C"], times) {
      try output.add(.plain("document.put\(name)", times.map { $0 / 1e3 }, "us"))
    }
    try work.compare()
  }

  private static func gets(_ work: DocumentWork, _ output: Output) throws {
    let measured = try Rounds.alternating(
      9, ours: { try work.get(.ours) }, peer: { try work.get(.sqlite) })
    try output.add(.ratio("document.get / SQLite", measured, atLeast: sqliteBar))
    let engine = try Rounds.alternating(
      9, ours: { try work.get(.ours) }, peer: { try work.get(.engine) })
    try output.add(.ratio("document.get / LMDB from C", engine, atLeast: engineBar))
    try output.add(.plain("document.get", measured.ours.map { $0 / 1e3 }, "us"))
    try output.add(.plain("document.get, SQLite", measured.peer.map { $0 / 1e3 }, "us"))
    try output.add(.plain("document.get, LMDB from C", engine.peer.map { $0 / 1e3 }, "us"))
  }
}
