import CLMDB
import Synchronization

/// Read transactions that have ended and keep their place among the readers, to be begun again.
///
/// Beginning one anew takes a lock that all processes share, and memory for a table of the databases.
/// One that has ended and waits here sees no state and holds no page back.
final class IdleReaders: Sendable {
  /// How many wait at most: places among the readers are shared with other processes.
  static let countMax = 2

  /// The engine's transaction, which whoever took it out alone uses.
  @safe private struct Reader: @unchecked Sendable {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    func abort() { unsafe mdb_txn_abort(handle) }
  }

  private struct State {
    var waiting: [Reader] = []
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Begins one that waits, on the state of the last commit; nil where none does.
  func renew() -> OpaquePointer? {
    guard let reader = state.withLock({ $0.waiting.popLast() }) else { return nil }
    if unsafe mdb_txn_renew(reader.handle) == 0 { return unsafe reader.handle }
    reader.abort()
    return nil
  }

  /// Ends a read transaction, and keeps it where there is room.
  func end(_ transaction: OpaquePointer) {
    unsafe mdb_txn_reset(transaction)
    let reader = unsafe Reader(transaction)
    let isKept = state.withLock { state in
      guard !state.isClosed, state.waiting.count < Self.countMax else { return false }
      state.waiting.append(reader)
      return true
    }
    if !isKept { reader.abort() }
  }

  /// Gives up the places of those that wait.
  func clear() { drop(closing: false) }

  /// Gives up all places, those that are ended from now on too.
  func close() { drop(closing: true) }

  private func drop(closing: Bool) {
    let waiting = state.withLock { state in
      if closing { state.isClosed = true }
      defer { state.waiting = [] }
      return state.waiting
    }
    for reader in waiting { reader.abort() }
  }
}
