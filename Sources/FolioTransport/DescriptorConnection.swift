public import FolioSystem
internal import Synchronization

/// A connection over descriptors of the system: a socket, the two pipes of a child process, or this
/// process's standard streams.
///
/// The first one made has this process ignore SIGPIPE from then on: a peer that goes away is an
/// error of one connection, not the end of the process.
public final class DescriptorConnection: ByteConnection {
  /// What it leads to, for messages.
  public let peer: String
  /// The program at the other end, where this side started it.
  public let child: ChildProcess?
  private let streams: Mutex<Streams>
  private let isClosing = Atomic(false)
  private let wakeReading: Int32
  private let wakeWriting: Int32
  private let clock: any MonotonicClock

  /// Takes the descriptors over: it closes them, both where they differ.
  init(
    reading: Int32, writing: Int32, peer: String, child: ChildProcess? = nil,
    clock: any MonotonicClock
  ) throws(TransportError) {
    Self.brokenPipeIsIgnored
    do throws(Errno) {
      streams = Mutex(try Streams(reading: reading, writing: writing))
      (wakeReading, wakeWriting) = try callPipe()
    } catch {
      callClose(reading)
      if writing != reading { callClose(writing) }
      throw .of(error, operation: "prepare")
    }
    self.peer = peer
    self.child = child
    self.clock = clock
  }

  deinit { close() }

  private static let brokenPipeIsIgnored: Void = Signal.ignoreBrokenPipe()

  /// This process's standard input and output as one connection; closing it closes both.
  public static func standardStreams(
    clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(TransportError) -> DescriptorConnection {
    try DescriptorConnection(
      reading: FileDescriptor.standardInput.rawValue,
      writing: FileDescriptor.standardOutput.rawValue, peer: "standard streams", clock: clock)
  }

  /// Two connections that lead to each other, within this process.
  public static func pair(
    clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(TransportError) -> (DescriptorConnection, DescriptorConnection) {
    let ends: (Int32, Int32)
    do throws(Errno) {
      ends = try callSocketPair()
    } catch {
      throw .of(error, operation: "make")
    }
    let first: DescriptorConnection
    do throws(TransportError) {
      first = try DescriptorConnection(
        reading: ends.0, writing: ends.0, peer: "pair", clock: clock)
    } catch {
      callClose(ends.1)
      throw error
    }
    return (
      first,
      try DescriptorConnection(reading: ends.1, writing: ends.1, peer: "pair", clock: clock)
    )
  }

  /// See `ByteConnection`.
  public func exchange(
    sending bytes: UnsafeRawBufferPointer, receivingInto buffer: UnsafeMutableRawBufferPointer,
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    try streams.withLock { streams throws(TransportError) in
      try exchange(&streams, bytes, buffer, deadline)
    }
  }

  private func exchange(
    _ streams: inout Streams, _ bytes: UnsafeRawBufferPointer,
    _ buffer: UnsafeMutableRawBufferPointer, _ deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    while true {
      if isClosing.load(ordering: .acquiring) { throw .closed }
      let wantsRead = !buffer.isEmpty && !streams.isEnded
      let wantsWrite = !bytes.isEmpty && !streams.isSendingBroken
      if !wantsRead, !wantsWrite {
        // Nothing can become ready any more.
        if !buffer.isEmpty { return ByteExchange(isEnded: true) }
        throw .reset
      }
      let ready = try wait(streams, read: wantsRead, write: wantsWrite, deadline)
      var result = ByteExchange()
      if ready.isWritable { result.sentCount = try streams.send(bytes, isReceiving: wantsRead) }
      if ready.isReadable { result.receivedCount = try streams.receive(into: buffer) }
      result.isEnded = streams.isEnded
      if result.sentCount + result.receivedCount > 0 || (wantsRead && result.isEnded) {
        return result
      }
      if !ready.isReadable, !ready.isWritable, clock.now() >= deadline {
        result.isTimedOut = true
        return result
      }
    }
  }

  private func wait(
    _ streams: Streams, read: Bool, write: Bool, _ deadline: MonotonicTime
  ) throws(TransportError) -> (isReadable: Bool, isWritable: Bool) {
    var entries = [
      Readiness(streams.reading, read: read, write: false),
      Readiness(streams.writing, read: false, write: write),
      Readiness(wakeReading, read: true, write: false),
    ]
    do throws(Errno) {
      try callPoll(&entries, pollMilliseconds(until: deadline, now: clock.now()))
    } catch {
      throw .of(error, operation: "wait for")
    }
    return (entries[0].isReadable, entries[1].isWritable)
  }

  /// Tells the peer that no more bytes come; receiving goes on.
  public func finishSending() {
    streams.withLock { $0.finishSending() }
  }

  /// Closes the connection and, where this side started the program at the other end, sees to it
  /// that it ends: see `ChildProcess.end`.
  public func close() {
    if isClosing.exchange(true, ordering: .acquiringAndReleasing) { return }
    // A call that waits in another thread holds the streams; one byte ends its wait.
    withUnsafeBytes(of: UInt8(0)) { _ = try? callWrite(wakeWriting, $0) }
    streams.withLock { $0.close() }
    callClose(wakeReading)
    callClose(wakeWriting)
    child?.end(clock: clock)
  }
}
