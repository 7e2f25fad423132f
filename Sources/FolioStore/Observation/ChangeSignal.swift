internal import Synchronization

/// What a subscriber waits for: that something may have changed since it looked.
///
/// Raised any number of times before it is waited for, it is raised once.
final class ChangeSignal: Sendable {
  private enum State {
    case quiet
    case raised
    case waited(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.quiet)

  /// Forgets that it was raised: whoever looks from now on sees all that was before.
  func lower() {
    state.withLock { if case .raised = $0 { $0 = .quiet } }
  }

  func raise() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .raised }
      if case .waited(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
  }

  /// Waits until it is raised, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRaised = state.withLock { state -> Bool in
          if case .raised = state { return true }
          state = .waited(continuation)
          return false
        }
        if isRaised { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
  }
}
