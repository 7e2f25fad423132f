import FolioDomain
import FolioStore
import Foundation
import Synchronization

/// A durable save of one edit, and the same puts to LMDB from C.
///
/// What the saves put is recorded first, on a store like the one that is measured: record by record,
/// from its data file before and after each. The C side then starts from a copy of the same file and
/// does the same puts, in one transaction for each save. At the end both files hold the same records.
enum SaveBenchmark: Benchmark {
  static let name = "save"
  static let title = "a durable save / the same puts to LMDB from C"
  static let bar = "0.9 of its speed"
  static let size = Size(1_500, "saves on 1,000 assets")
  static let rounds = 9
  static let savesInRound = 150
  static let least = 0.9

  static func measure(_ run: Run) throws {
    let output = run.output
    let saves = savesInRound * (rounds + 1)
    let folders = try Folders(run.folder + "/save")
    defer { folders.remove() }
    let work = try SaveWork(saves)
    try work.prepare(folders.base)
    try folders.copyBase()

    let script = try work.record(folders.recorded)
    let ours = try work.open(folders.ours)
    let baseline = try Baseline(folders.baseline, mapByteCount: ours.mapByteCount, script)
    var done = 0
    var processor = (ours: [Double](), peer: [Double]())
    let measured = try Rounds.alternating(
      rounds,
      ours: {
        let begin = (Stopwatch.wall(), Stopwatch.processor())
        for number in done..<done + savesInRound { try work.save(number, ours.store) }
        done += savesInRound
        processor.ours.append(perSave(Stopwatch.processor() - begin.1))
        return perSave(Stopwatch.wall() - begin.0)
      },
      peer: {
        let begin = Stopwatch.processor()
        let time = try baseline.replay(savesInRound)
        processor.peer.append(perSave(Stopwatch.processor() - begin))
        return perSave(time)
      })
    ours.store.close()
    let (written, replayed) = (try Dump(folders.ours), try Dump(folders.baseline))
    guard written == replayed else {
      throw Command.Failed(description: "the two sides wrote different records")
    }
    let puts = Double(script.steps.count) / Double(saves)
    try output.add(
      .ratio(
        "save / LMDB from C", measured, atLeast: least,
        note: "\(puts.text) puts a save; \(written.count) equal records at the end"))
    try output.add(.plain("save", measured.ours.map { 1e9 / $0 }, "a second"))
    try output.add(.plain("save, LMDB from C", measured.peer.map { 1e9 / $0 }, "a second"))
    // Where the disk is slow, this is what still tells the two apart.
    try output.add(.plain("save.processor", processor.ours.map { $0 / 1e3 }, "us"))
    try output.add(.plain("save.processor, LMDB from C", processor.peer.map { $0 / 1e3 }, "us"))
  }

  private static func perSave(_ nanoseconds: Int64) -> Double {
    Double(nanoseconds) / Double(savesInRound)
  }

  /// The folders of the stores: one to start from, and three that start as its copies.
  private struct Folders {
    let root: String
    var base: String { root + "/base" }
    var recorded: String { root + "/recorded" }
    var ours: String { root + "/ours" }
    var baseline: String { root + "/baseline" }

    init(_ root: String) throws {
      self.root = root
      remove()
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    func copyBase() throws {
      for copy in [recorded, ours, baseline] {
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: base + "/data.mdb", toPath: copy + "/data.mdb")
      }
      sync()
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
  }
}

/// Saves that come out the same each time they are made.
private struct SaveWork {
  private static let start = Timestamp(milliseconds: 1_772_348_400_000)
  private let edits: [Edit]
  private let first: [Edit]
  private let ids = Ids()
  private let clock = Clock()

  /// That many saves, each of an asset that is new, in one of twenty categories, on top of a
  /// thousand assets that are there.
  init(_ count: Int) throws {
    let content = try Content(assetCount: 1_000 + count)
    var random = Seeded(seed: 44)
    let all = try content.assets.map { asset in
      Edit.add(
        asset, try Amount(random.decimal()),
        category: content.categories[random.int(0...content.categories.count - 1)])
    }
    first = Array(all[..<1_000])
    edits = Array(all[1_000...])
  }

  private var options: StoreOptions { StoreOptions(clock: clock, random: ids) }

  /// Makes the store that all start from.
  func prepare(_ folder: String) throws {
    let store = try Store.create(at: folder, options)
    defer { store.close() }
    for begin in stride(from: 0, to: first.count, by: 100) {
      try store.write { try $0.save(Array(first[begin..<begin + 100])) }
    }
  }

  func open(_ folder: String) throws -> (store: Store, mapByteCount: Int) {
    (try Store.open(at: folder, options), options.mapByteCount)
  }

  func save(_ number: Int, _ store: Store) throws {
    ids.restart(at: UInt64(number))
    clock.set(Self.start.adding(milliseconds: Int64(number) * 60_000))
    let saved = try store.write { try $0.save([edits[number]]) }
    guard saved.transaction != nil else { throw Command.Failed(description: "nothing was saved") }
  }

  /// Makes all saves, and gives what each of them changed in the data file.
  func record(_ folder: String) throws -> Script {
    let store = try open(folder).store
    defer { store.close() }
    var script = Script()
    var before = try Dump(folder)
    for number in edits.indices {
      try save(number, store)
      let after = try Dump(folder)
      script.add(from: before, to: after)
      before = after
    }
    return script
  }

  private final class Ids: RandomSource {
    private let random = Mutex(Seeded(seed: 55))
    func next() -> UInt64 { random.withLock { $0.next() } }
    func restart(at number: UInt64) { random.withLock { $0 = Seeded(seed: 1_000 + number) } }
  }

  private final class Clock: WallClock {
    private let time = Mutex(SaveWork.start)
    func now() -> Timestamp { time.withLock { $0 } }
    func set(_ now: Timestamp) { time.withLock { $0 = now } }
  }
}
