internal import FolioSystem

/// The descriptors of a connection, set not to block for as long as it has them.
struct Streams {
  private(set) var reading: Int32
  private(set) var writing: Int32
  /// Whether the peer takes nothing any more; what it sent before may still be there to receive.
  private(set) var isSendingBroken = false
  /// Whether the peer has ended its sending, and all of it was received.
  private(set) var isEnded = false
  /// What the flags were before, to be put back: others may share the open files.
  private let readingFlags: Int32
  private let writingFlags: Int32

  init(reading: Int32, writing: Int32) throws(Errno) {
    self.reading = reading
    self.writing = writing
    readingFlags = try callFlags(reading)
    writingFlags = try callFlags(writing)
    // A terminal is shared with the shell, which a flag left behind would break; it answers a poll
    // well enough to be used as it is.
    for descriptor in [reading, writing] where !callIsTerminal(descriptor) {
      try callSetNonblocking(descriptor)
    }
  }

  var isShared: Bool { reading == writing }

  /// Sends what goes at once.
  ///
  /// A broken pipe is an error only where nothing is to be received: a peer that said why before it
  /// went is heard first.
  mutating func send(
    _ bytes: UnsafeRawBufferPointer, isReceiving: Bool
  ) throws(TransportError) -> Int {
    do throws(Errno) {
      return try callWrite(writing, bytes) ?? 0
    } catch {
      let failure = TransportError.of(error, operation: "write to")
      if failure != .reset || !isReceiving { throw failure }
      isSendingBroken = true
      return 0
    }
  }

  /// Receives what is there, and notes the end.
  mutating func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(TransportError) -> Int {
    do throws(Errno) {
      let count = try callRead(reading, buffer)
      isEnded = count == 0
      return count ?? 0
    } catch {
      throw .of(error, operation: "read from")
    }
  }

  mutating func finishSending() {
    guard writing >= 0, !isSendingBroken else { return }
    isSendingBroken = true
    if isShared {
      _ = callShutdownWriting(writing)
    } else {
      closeWriting()
    }
  }

  mutating func close() {
    let wasShared = isShared
    if !wasShared, writing >= 0 { closeWriting() }
    try? callSetFlags(reading, readingFlags)
    callClose(reading)
    reading = -1
    if wasShared { writing = -1 }
  }

  private mutating func closeWriting() {
    try? callSetFlags(writing, writingFlags)
    callClose(writing)
    writing = -1
  }
}
