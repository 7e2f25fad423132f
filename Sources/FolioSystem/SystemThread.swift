#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread of the system, for what blocks: the cooperative pool must not.
public final class SystemThread: @unchecked Sendable {
  // Written once before the thread starts and read once by `join`, which consumes it.
  private var id = pthread_t(bitPattern: 0)

  /// Starts a thread that runs `body`.
  ///
  /// The process ends where the system has no thread to give.
  public init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(body))
    let result = pthread_create(
      &id, nil,
      { argument in
        if let argument {
          Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, box.toOpaque())
    if result != 0 { fatalError("the system has no thread to give: \(Errno(result))") }
  }

  /// Starts a thread that runs `body` and that nobody waits for.
  public static func detach(_ body: @escaping @Sendable () -> Void) {
    pthread_detach(SystemThread(body).id)
  }

  /// Waits until the thread has ended; to be called exactly once.
  public func join() {
    pthread_join(id, nil)
  }
}

private final class ThreadBody {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
