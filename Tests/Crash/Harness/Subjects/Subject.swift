import FolioDomain
import Synchronization
import TestSupport

/// A storage in a folder, on which a script of steps is run.
///
/// The same seed and step always do the same to the same state: a script that was cut off goes on
/// from what is there.
protocol Subject: AnyObject {
  /// How much room the storage is opened with.
  var room: Room { get set }
  /// Opens the storage, which is there.
  func open() throws
  /// Runs a step; what it did lasts when this returns. Step 0 makes the storage.
  func perform(_ step: Int) throws
  /// What a step does, in a word.
  func name(of step: Int) -> String
  /// Whether a step is one storage transaction, so that no part of it can be there alone.
  func isWhole(_ step: Int) -> Bool
  /// Commits something that belongs to the step that follows.
  func performHalf(_ step: Int) throws
  /// Gives the storage up.
  func close()
  /// Every rule that the storage breaks, open.
  func problems() throws -> [String]
  /// Every rule that a storage that is not open breaks, as the command line finds them.
  func check() throws -> [String]
  /// What a user is shown of what the storage holds, line by line.
  func shown() throws -> [String]
  /// Makes anew what can be, open.
  func repair() throws
  /// Writes once more to one of a few places.
  func overwrite(_ number: Int) throws
  /// Does something while a reader looks at the state as it was.
  func reading(_ body: () throws -> Void) throws
  /// How long the file is, open.
  func fileByteCount() throws -> Int
  /// Whether an error says that no storage was made here.
  func isAbsence(_ error: any Error) -> Bool
  /// Whether an error says that nobody knows whether the step was done.
  func leavesOutcomeOpen(_ error: any Error) -> Bool
  /// Whether an error says by a code of its own what is wrong.
  func isNamed(_ error: any Error) -> Bool
}

/// The storages there are.
enum SubjectKind: String, CaseIterable {
  /// A client's store.
  case client
  /// A server's folder.
  case server

  /// The storage in a folder.
  func subject(_ stage: Stage) -> any Subject {
    switch self {
    case .client: ClientSubject(stage)
    case .server: ServerSubject(stage)
    }
  }
}

/// How much room a storage has.
struct Room {
  /// What the file can grow to.
  var mapByteCount = 1 << 28
  /// How much of it may be in use; nil for the usual part.
  var quotaByteCount: Int?
  /// How many transactions of a client may wait.
  var outboxCountMax: Int?
}

/// Where a script runs, and what it takes its time and its random numbers from.
struct Stage: Sendable {
  /// The folder that holds the storage and its backups.
  let folder: String
  /// What everything follows from.
  let seed: UInt64
  /// The clock, which a step moves.
  let clock = ManualClock(Timestamp(milliseconds: 1_772_348_400_000))
  /// The source of ids, which a step starts anew.
  let ids = StepSource()

  /// A script's folder, with its seed.
  init(_ folder: String, seed: UInt64) {
    self.folder = folder
    self.seed = seed
  }

  /// The folder of the storage itself.
  var store: String { folder + "/store" }
  /// The file of the storage.
  var data: String { store + "/data.mdb" }
  /// Where a step's backup is.
  func backup(_ step: Int) -> String { folder + "/backups/b\(step)" }

  /// Sets clock and ids to what they are at a step, and gives its random numbers.
  func begin(_ step: Int) -> SeededRandom {
    var random = SeededRandom(seed: seed &* 0x2545_f491_4f6c_dd1d &+ UInt64(step))
    ids.restart(at: random.next())
    clock.set(
      Timestamp(milliseconds: 1_772_348_400_000).adding(
        milliseconds: Int64(step) * 6_000_000 + Int64(random.int(0...5_000_000))))
    return random
  }
}

/// Ids that start anew at each step.
final class StepSource: RandomSource {
  private let random = Mutex(SeededRandom(seed: 0))

  func restart(at seed: UInt64) { random.withLock { $0 = SeededRandom(seed: seed) } }

  func next() -> UInt64 { random.withLock { $0.next() } }
}

/// What a script was made to do wrong, so that a proof can be seen to notice.
enum Wrong: String, CaseIterable {
  /// A step is acknowledged before it is done.
  case early
  /// A step is cut in two, so that half of it can be there.
  case halves
  /// A step that failed is acknowledged.
  case swallow
  /// The recording leaves out that files were synced.
  case files
  /// The recording leaves out that folders were synced.
  case folders
  /// The recording takes synced writes for common ones.
  case writes
}

/// A fault that a proof found.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
