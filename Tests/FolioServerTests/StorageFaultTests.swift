import FolioDomain
import FolioWire
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import FolioServer

/// Storage that fails: a change is whole or not there, and a failed commit is no answer.
struct StorageFaultTests {
  @Test(arguments: [StorageFault.lost, .keptUnacknowledged])
  func afterAFailedCommitARetryIsSafe(fault: StorageFault) throws {
    let server = try ServerFixture()
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    server.storage.setFaults { $0 == .commit ? fault : nil }
    #expect(throws: ServerStorageError.self) { try server.push(transaction(2, sequence: 2)) }
    server.storage.setFaults(nil)
    let again = try server.push(transaction(2, sequence: 2))
    #expect(again.head.seq == 2)
    #expect(try server.entries().map(\.transaction.id.value) == [1, 2])
  }

  /// The n-th call fails, for every n: what was there before is there, whole, and nothing else.
  @Test func everyFailingCallLeavesTheRowsAsTheyWere() throws {
    let server = try ServerFixture()
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    let before = try server.storage.read(AllRows())
    let calls = Mutex(0)
    var failing = 0
    while true {
      failing += 1
      calls.withLock { $0 = 0 }
      server.storage.setFaults { [failing] _ in
        calls.withLock {
          $0 += 1
          return $0 == failing ? .lost : nil
        }
      }
      let receipt = try? server.push(
        transaction(2, sequence: 2), transaction(1, device: 2, sequence: 1))
      server.storage.setFaults(nil)
      if receipt != nil { break }
      #expect(try server.storage.read(AllRows()) == before, "call \(failing)")
    }
    #expect(failing > 10)
    #expect(try server.account().head.seq == 3)
  }

  @Test func theFolderIsOpenedAgainAfterAFailedCommit() throws {
    let folder = try TemporaryFolder("server")
    let faults = CommitFaults()
    let storage = try LMDBServerStorage(at: folder.path, .init(), faults: faults)
    let server = try ServerFixture(storage)
    try server.createAccount()
    for step in [StorageStep.commit, .acknowledge] {
      let head = try server.account().head.seq
      let push = transaction(UInt128(head + 1), sequence: head + 1)
      faults.failing.withLock { $0 = step }
      #expect(throws: ServerStorageError.self) { try server.push(push) }
      faults.failing.withLock { $0 = nil }
      #expect(try server.push(push).head.seq == head + 1)
    }
  }
}

private final class CommitFaults: StorageFaults {
  let failing = Mutex<StorageStep?>(nil)

  func willPerform(_ step: StorageStep) throws(StorageError) {
    if failing.withLock({ $0 }) == step {
      throw .system(operation: "sync", path: "data.mdb", number: 5)
    }
  }
}
