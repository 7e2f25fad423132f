internal import Synchronization

/// Work that a thread of its own does, and that one other thread waits for.
///
/// The process ends where the system has no thread to give.
public final class BackgroundJob<Outcome: Sendable>: Sendable {
  private let result = Mutex<Result<Outcome, any Error>?>(nil)
  private let thread = Mutex<SystemThread?>(nil)

  /// Begins to do `work`.
  public init(_ work: @escaping @Sendable () throws -> Outcome) {
    let thread = SystemThread { [self] in
      let outcome = Result { try work() }
      result.withLock { $0 = outcome }
    }
    self.thread.withLock { $0 = thread }
  }

  /// Waits until it is done, and gives what it came to.
  ///
  /// - Throws: What the work throws.
  public func wait() throws -> Outcome {
    finish()
    return try result.withLock { result in
      guard let result else { preconditionFailure("the thread ended without an outcome") }
      return try result.get()
    }
  }

  /// Waits until it is done; it has to be waited for once, whether or not its outcome is wanted.
  public func finish() {
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }
}
