#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
public import FolioSystem
public import FolioTransport
import Synchronization

/// A connection that breaks where a test wants it to; bytes that pass are another connection's.
public final class FaultyConnection: ByteConnection {
  /// How a connection breaks.
  public enum Break: Sendable {
    /// As by a peer that throws it away.
    case reset
    /// As by a peer that closes it in order.
    case end
    /// As by a cable that is pulled: nothing comes and nothing goes, and nobody says so.
    case silence
  }

  /// What goes wrong.
  public struct Faults: Sendable {
    /// At most so many bytes pass in one call, each way.
    public var pieceByteCount = Int.max
    /// How long each call waits before it does anything.
    public var delay = Duration.zero
    /// How many bytes are sent before it breaks.
    public var sentByteCountMax = Int.max
    /// How many bytes are received before it breaks.
    public var receivedByteCountMax = Int.max
    /// How it breaks then.
    public var breaking = Break.reset

    /// No faults.
    public init() {}
  }

  private struct Counts {
    var sent = 0
    var received = 0
  }

  private let inner: any ByteConnection
  private let faults: Faults
  private let counts = Mutex(Counts())
  private let isClosed = Atomic(false)
  private let clock = SystemMonotonicClock()

  /// `inner`, with faults; closing this closes it.
  public init(_ inner: any ByteConnection, _ faults: Faults) {
    self.inner = inner
    self.faults = faults
  }

  /// How many bytes passed on the way out.
  public var sentByteCount: Int { counts.withLock { $0.sent } }
  /// How many bytes passed on the way in.
  public var receivedByteCount: Int { counts.withLock { $0.received } }

  /// See `ByteConnection`.
  public func exchange(
    sending bytes: UnsafeRawBufferPointer, receivingInto buffer: UnsafeMutableRawBufferPointer,
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    wait(until: min(deadline, clock.now() + faults.delay))
    let (sent, received) = counts.withLock { ($0.sent, $0.received) }
    if sent >= faults.sentByteCountMax || received >= faults.receivedByteCountMax {
      return try breakOff(isReceiving: !buffer.isEmpty, until: deadline)
    }
    let sendable = min(bytes.count, faults.pieceByteCount, faults.sentByteCountMax - sent)
    let takeable = min(buffer.count, faults.pieceByteCount, faults.receivedByteCountMax - received)
    let result = try inner.exchange(
      sending: UnsafeRawBufferPointer(rebasing: bytes[..<sendable]),
      receivingInto: UnsafeMutableRawBufferPointer(rebasing: buffer[..<takeable]), until: deadline)
    counts.withLock { counts in
      counts.sent += result.sentCount
      counts.received += result.receivedCount
    }
    return result
  }

  private func breakOff(
    isReceiving: Bool, until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    switch faults.breaking {
    case .silence:
      wait(until: deadline)
      if isClosed.load(ordering: .relaxed) { throw .closed }
      return ByteExchange(isTimedOut: true)
    case .end where isReceiving:
      inner.close()
      return ByteExchange(isEnded: true)
    case .end, .reset:
      inner.close()
      throw .reset
    }
  }

  private func wait(until deadline: MonotonicTime) {
    while clock.now() < deadline, !isClosed.load(ordering: .relaxed) { usleep(1_000) }
  }

  /// See `ByteConnection`.
  public func finishSending() { inner.finishSending() }

  /// Closes the connection within.
  public func close() {
    isClosed.store(true, ordering: .relaxed)
    inner.close()
  }
}
