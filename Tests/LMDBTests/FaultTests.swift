import LMDB
import Synchronization
import TestSupport
import Testing

/// Makes a step fail the time it is told to, and counts the steps.
final class Faults: StorageFaults {
  private let plan = Mutex<(step: StorageStep, left: Int)?>(nil)
  private let counts = Mutex<[StorageStep: Int]>([:])

  static let error = StorageError.system(operation: "write", path: "a device", number: 5)

  /// Makes the step fail after that many that do not.
  func fail(_ step: StorageStep, after count: Int = 0) { plan.withLock { $0 = (step, count) } }

  /// Lets all steps be done from now on.
  func clear() { plan.withLock { $0 = nil } }

  func count(_ step: StorageStep) -> Int { counts.withLock { $0[step] ?? 0 } }

  func willPerform(_ step: StorageStep) throws(StorageError) {
    counts.withLock { $0[step, default: 0] += 1 }
    let isDue = plan.withLock { plan in
      guard let next = plan, next.step == step else { return false }
      plan = next.left == 0 ? nil : (step, next.left - 1)
      return next.left == 0
    }
    if isDue { throw Self.error }
  }
}

@Suite struct FaultTests {
  static func fixture() throws -> (Fixture, Faults) {
    let faults = Faults()
    return (try Fixture { $0.faults = faults }, faults)
  }

  @Test func aFailedBeginChangesNothing() throws {
    let (fixture, faults) = try Self.fixture()
    faults.fail(.begin)
    #expect(throws: Faults.error) { try fixture.environment.write { _ in } }
    faults.fail(.read)
    #expect(throws: Faults.error) { try fixture.environment.read { _ in } }
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    #expect(try fixture.records().count == 1)
  }

  @Test(arguments: [StorageStep.put, .delete]) func aFailedChangeEndsTheTransaction(
    _ step: StorageStep
  ) throws {
    let (fixture, faults) = try Self.fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    faults.fail(step, after: 1)
    #expect(throws: Faults.error) {
      try fixture.environment.write { tx in
        for key in UInt8(2)...5 {
          // What the closure swallows still ends the transaction.
          try? tx.put(fixture.table, [key], [key])
          _ = try? tx.delete(fixture.table, [1])
        }
      }
    }
    #expect(try fixture.records() == [Entry(key: [1], value: [1])])
    try fixture.environment.write { try $0.put(fixture.table, [2], [2]) }
    #expect(try fixture.records().count == 2)
  }

  @Test(arguments: [StorageStep.commit, .acknowledge]) func aFailedCommitIsAnUnknownOutcome(
    _ step: StorageStep
  ) throws {
    let (fixture, faults) = try Self.fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    faults.fail(step)
    #expect(throws: StorageError.commitFailed(detail: Faults.error.description)) {
      try fixture.environment.write { try $0.put(fixture.table, [2], [2]) }
    }
    let refusal = StorageError.reopenNeeded
    #expect(throws: refusal) { try fixture.environment.read { _ in } }
    #expect(throws: refusal) { try fixture.environment.write { _ in } }
    #expect(throws: refusal) { try fixture.environment.copy(to: fixture.beside("copy")) }
    fixture.environment.close()
    // Opened anew it can be asked: the change is there or it is not, whole either way.
    let again = try Environment.open(at: fixture.path, Fixture.options)
    let found = try again.read { try $0.contains(again.database("table"), [2]) }
    #expect(found == (step == .acknowledge))
    try again.write { try $0.put(again.database("table"), [3], [3]) }
  }

  @Test func aFailedSyncLeavesNoHalfMadeStore() throws {
    let folder = try TemporaryFolder("lmdb")
    let faults = Faults()
    var options = Fixture.options
    options.faults = faults
    for count in 0..<2 {
      faults.fail(.sync, after: count)
      #expect(throws: Faults.error) { try Environment.open(at: folder.path, options) }
      #expect(!isThere(folder.path + "/data.mdb.new"))
    }
    let environment = try Environment.open(at: folder.path, options)
    try environment.write { try $0.put(environment.database("table"), [1], [1]) }
  }

  @Test func everyStepIsAnnounced() throws {
    let (fixture, faults) = try Self.fixture()
    try fixture.environment.write { tx in
      try tx.put(fixture.table, [1], [1])
      try tx.delete(fixture.table, [1])
      try tx.deleteAll(fixture.table)
    }
    try fixture.environment.read { _ in }
    try fixture.environment.copy(to: fixture.beside("copy"))
    let expected: [StorageStep: Int] = [
      .begin: 1, .put: 1, .delete: 2, .commit: 1, .acknowledge: 1, .read: 1, .sync: 4,
    ]
    for step in StorageStep.allCases {
      #expect(faults.count(step) == expected[step], "\(step)")
    }
  }
}
