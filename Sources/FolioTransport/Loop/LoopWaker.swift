internal import FolioSystem
internal import Synchronization

/// Reaches a loop from other threads.
public final class LoopWaker: Sendable {
  let reading: Int32
  private let writing: Int32
  private let work = Mutex<[@Sendable (EventLoop) -> Void]>([])

  init() throws(Errno) {
    (reading, writing) = try callPipe()
    try callSetNonblocking(reading)
    try callSetNonblocking(writing)
  }

  deinit {
    callClose(reading)
    callClose(writing)
  }

  /// Has the loop run `body` on its own thread, in its next turn, after what was asked before.
  public func perform(_ body: @escaping @Sendable (EventLoop) -> Void) {
    let isFirst = work.withLock { work in
      work.append(body)
      return work.count == 1
    }
    if isFirst {
      // A pipe that is full wakes just as well.
      withUnsafeBytes(of: UInt8(0)) { _ = try? callWrite(writing, $0) }
    }
  }

  /// What is to be run, in order; the loop's own to call.
  func take() -> [@Sendable (EventLoop) -> Void] {
    var buffer: UInt64 = 0
    withUnsafeMutableBytes(of: &buffer) { _ = try? callRead(reading, $0) }
    return work.withLock { work in
      defer { work = [] }
      return work
    }
  }
}
