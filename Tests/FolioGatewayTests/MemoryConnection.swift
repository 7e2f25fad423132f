import FolioSystem
import FolioTransport
import FolioWire
import Synchronization

@testable import FolioGateway

/// A monotonic clock that moves only when somebody waits.
final class JumpingClock: MonotonicClock {
  private let time = Mutex(MonotonicTime(nanoseconds: 0))
  func now() -> MonotonicTime { time.withLock { $0 } }
  func jump(to deadline: MonotonicTime) { time.withLock { $0 = max($0, deadline) } }
  var seconds: Double { Double(now().nanoseconds) / 1e9 }
}

/// A connection to a fake server in this process; where nothing comes, time jumps to the deadline.
final class MemoryConnection: ByteConnection, @unchecked Sendable {
  let server: FakeServer
  let clock: JumpingClock
  /// Bytes of both sides before the connection is reset; nil for never.
  var bytesUntilReset: Int?
  /// Whether nothing that is sent arrives, and nothing comes.
  var isHalfOpen = false
  /// How many bytes go through in one exchange, each way.
  var chunk = 1 << 20
  private(set) var isClosed = false
  private var answers: [UInt8] = []

  init(_ server: FakeServer, _ clock: JumpingClock) {
    self.server = server
    self.clock = clock
    server.framer = .init(lineByteLimit: 1 << 21)
  }

  func exchange(
    sending bytes: UnsafeRawBufferPointer, receivingInto buffer: UnsafeMutableRawBufferPointer,
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    if isClosed { throw .closed }
    var result = ByteExchange()
    result.sentCount = min(bytes.count, chunk)
    if !isHalfOpen {
      try spend(result.sentCount)
      answers += server.answer(Array(bytes.prefix(result.sentCount)))
      if server.isCut {
        server.isCut = false
        throw .reset
      }
      result.receivedCount = min(answers.count, chunk, buffer.count)
      try spend(result.receivedCount)
      buffer.copyBytes(from: answers.prefix(result.receivedCount))
      answers.removeFirst(result.receivedCount)
    }
    if result.sentCount == 0, result.receivedCount == 0 {
      clock.jump(to: deadline)
      result.isTimedOut = true
    }
    return result
  }

  private func spend(_ count: Int) throws(TransportError) {
    guard let left = bytesUntilReset else { return }
    if left < count { throw .reset }
    bytesUntilReset = left - count
  }

  func finishSending() {}
  func close() { isClosed = true }
}
