import StoreWorld
import TestSupport

/// A storage in a folder and one in memory, each held against plain dictionaries through many random
/// operations.
struct Models {
  let kind: SubjectKind
  let settings: Settings

  /// How many operations a storage lives through.
  private static let operationsPerStorage = 120

  /// Does this part's operations; says how many.
  func run() throws -> Int {
    let storages = (settings.count + Self.operationsPerStorage - 1) / Self.operationsPerStorage
    var done = 0
    // The same operations in both places, each place its turn in each part.
    for number in 0..<storages where number / 2 % settings.parts == settings.part {
      let seed = settings.seed &+ UInt64(number / 2)
      let isInMemory = number % 2 == 1
      switch kind {
      case .client: try runClient(seed, isInMemory)
      case .server: try runServer(seed, isInMemory)
      }
      done += Self.operationsPerStorage
    }
    return done
  }

  private func runClient(_ seed: UInt64, _ isInMemory: Bool) throws {
    var world = try RandomWorld(SeededRandom(seed: seed), in: isInMemory ? .memory : .folder)
    world.isForgetful = settings.wrong == .swallow
    for step in 0..<Self.operationsPerStorage { try world.step(step) }
    try world.finish()
  }

  private func runServer(_ seed: UInt64, _ isInMemory: Bool) throws {
    var world = try ServerWorld(
      seed: seed, inMemory: isInMemory, isForgetful: settings.wrong == .swallow)
    for step in 0..<Self.operationsPerStorage { try world.step(step) }
    try world.finish()
  }
}
