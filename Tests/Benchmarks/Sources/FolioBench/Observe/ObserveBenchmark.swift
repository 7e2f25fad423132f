import FolioDomain
import FolioStore
import Foundation
import Synchronization

/// What subscribers cost a commit that does not concern them.
///
/// Durable saves with a thousand subscribers of something else, and without any, in turn on one store:
/// the difference of processor time on the thread that saves, for each subscriber.
enum ObserveBenchmark: Benchmark {
  static let name = "observe"
  static let title = "a commit of no concern, for each of its observers"
  static let bar = "below 2 microseconds"
  static let size = Size(observers, "observers")
  static let observers = 1_000
  static let rounds = 9
  static let savesInRound = 100
  static let barNanoseconds = 2_000.0

  static func measure(_ run: Run) throws {
    let output = run.output
    let root = run.folder + "/observe"
    try? FileManager.default.removeItem(atPath: root)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let store = try Store.create(
      at: root, StoreOptions(clock: Clock(), random: Random(seed: 5)))
    defer { store.close() }
    let asset = AssetKey(type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "bitcoin"))
    let edit = Edit.add(asset, try Amount("1"), category: nil)
    func saves() throws -> Double {
      try Stopwatch.processor(savesInRound) { try store.write { _ = try $0.save([edit]) } }
    }
    let measured = try Rounds.alternating(
      rounds,
      ours: {
        let subscribers = Subscribers(store, observers)
        defer { subscribers.end() }
        return try saves()
      },
      peer: { try saves() })
    let costs = zip(measured.ours, measured.peer).map { ($0 - $1) / Double(observers) }
    try output.add(
      Figure(
        name: "observe: a commit of no concern, for each subscriber", value: costs.median,
        unit: "ns", spread: costs.spread, rounds: costs.count, bar: .atMost(barNanoseconds),
        note: "processor time of the thread that saves"))
  }

  /// Tasks that wait for a change that does not come.
  private final class Subscribers {
    private let tasks: [Task<Void, any Error>]

    init(_ store: Store, _ count: Int) {
      let begun = DispatchSemaphore(value: 0)
      tasks = (0..<count).map { _ in
        Task {
          for try await _ in store.observe([.settings], { try $0.setting("x") }) { begun.signal() }
        }
      }
      for _ in 0..<count { begun.wait() }
    }

    func end() {
      for task in tasks { task.cancel() }
    }
  }

  private struct Clock: WallClock {
    func now() -> Timestamp { Timestamp(milliseconds: 1_772_348_400_000) }
  }
}

/// Ids that a seed brings back.
final class Random: RandomSource {
  private let seeded: Mutex<Seeded>
  init(seed: UInt64) { seeded = Mutex(Seeded(seed: seed)) }
  func next() -> UInt64 { seeded.withLock { $0.next() } }
}
