import FolioSystem
import Synchronization
import Testing

/// Work on a thread of its own.
@Suite("Background jobs")
struct BackgroundJobTests {
  private struct Failure: Error {}

  @Test("Waiting gives what the work came to, how often it is asked")
  func outcome() throws {
    let begun = Mutex(0)
    let job = BackgroundJob {
      begun.withLock { $0 += 1 }
      return 7
    }
    #expect(try job.wait() == 7)
    #expect(try job.wait() == 7)
    #expect(begun.withLock { $0 } == 1)
  }

  @Test("Waiting throws what the work throws")
  func failure() {
    let job = BackgroundJob<Int> { throw Failure() }
    #expect(throws: Failure.self) { try job.wait() }
    #expect(throws: Failure.self) { try job.wait() }
  }
}
