import LMDB
import Synchronization

/// Makes one step of the storage fail: the one after so many others.
final class FailingSteps: StorageFaults {
  private struct State {
    var left: Int?
    var failed: StorageStep?
  }

  private let state = Mutex(State())

  /// From now on, the step after `count` others fails, once.
  func fail(after count: Int) {
    state.withLock { $0 = State(left: count) }
  }

  /// Lets every step through again, and says which one failed.
  func disarm() -> StorageStep? {
    state.withLock { state in
      defer { state = State() }
      return state.failed
    }
  }

  func willPerform(_ step: StorageStep) throws(StorageError) {
    let fails = state.withLock { state in
      guard let left = state.left else { return false }
      state.left = left - 1
      if left == 0 { state.failed = step }
      return left == 0
    }
    if fails { throw .system(operation: "write", path: "data.mdb", number: 5) }
  }
}
