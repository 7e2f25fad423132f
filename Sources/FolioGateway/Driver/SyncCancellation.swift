import FolioSystem
import FolioTransport
import Synchronization

/// With which another thread ends a sync.
///
/// What has been stored stays; the store is as consistent as after any other end.
public final class SyncCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var connection: (any ByteConnection)?
  }

  private let state = Mutex(State())

  /// A cancellation that nobody has asked for.
  public init() {}

  /// Whether it was asked for.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the sync that this was given to, as soon as what it has read is stored.
  public func cancel() {
    let connection = state.withLock { state in
      state.isCancelled = true
      return state.connection
    }
    connection?.close()
  }

  /// Notes the connection that is to be closed; false where it is too late to begin.
  func begin(_ connection: any ByteConnection) -> Bool {
    state.withLock { state in
      if state.isCancelled { return false }
      state.connection = connection
      return true
    }
  }

  func end() { state.withLock { $0.connection = nil } }

  /// Waits until `deadline`; false where it was cancelled before.
  func wait(until deadline: MonotonicTime, _ clock: any MonotonicClock, _ pause: (Duration) -> Void)
    -> Bool
  {
    while !isCancelled {
      let left = deadline - clock.now()
      if left <= .zero { return true }
      pause(min(left, .milliseconds(50)))
    }
    return false
  }
}
