#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs work that blocks on a thread of its own, so that no thread of tasks waits for a file or a
/// socket.
func onOwnThread<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    let job = Job { continuation.resume(with: Result { try work() }) }
    let raw = Unmanaged.passRetained(job)
    guard start(raw.toOpaque()) else {
      // No thread is to be had: better to block this one than to fail.
      raw.takeRetainedValue().run()
      return
    }
  }
}

/// Work for a thread.
private final class Job: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func start(_ job: UnsafeMutableRawPointer) -> Bool {
  #if canImport(Glibc)
    var thread = pthread_t()
    let result = pthread_create(&thread, nil, runJob, job)
  #else
    var thread: pthread_t?
    let result = pthread_create(&thread, nil, { runJob($0) }, job)
  #endif
  guard result == 0 else { return false }
  #if canImport(Glibc)
    pthread_detach(thread)
  #else
    if let thread { pthread_detach(thread) }
  #endif
  return true
}

private func runJob(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run() }
  return nil
}
