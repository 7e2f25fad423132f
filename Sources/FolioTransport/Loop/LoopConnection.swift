public import FolioSystem

/// A connection that a loop serves; for the loop's thread alone.
public final class LoopConnection {
  /// Names the connection among all of its loop's, for ever.
  public let id: UInt64
  /// What is to be done with its bytes; nil once it is over.
  public internal(set) var handler: (any ConnectionHandler)?
  /// When `deadlinePassed` is to be called; nil for never.
  public var deadline: MonotonicTime? {
    didSet { loop?.note(self) }
  }

  private(set) weak var loop: EventLoop?
  let limits: EventLoop.Limits
  var streams: Streams
  var output = OutputQueue()
  var phase = Phase.open
  var interests: (reading: Interest, writing: Interest) = ([], [])
  /// Whether it waits to be looked after at the end of the turn.
  var isNoted = false
  /// The turn of the loop in which it was last read.
  var lastTurn: UInt64 = 0
  /// When the queue must have moved, or the peer have closed.
  var internalDeadline: MonotonicTime?
  /// The moment for which an entry stands in the loop's timers.
  var timerTime: MonotonicTime?
  private var isPaused = false
  private(set) var isInputEnded = false
  /// Whether so much is queued that no more is read: a handler holds what it has in hand.
  public private(set) var isCongested = false

  enum Phase {
    /// Bytes go both ways.
    case open
    /// What is queued is sent, nothing more is taken.
    case closing
    /// All is sent; the peer's own closing is waited for, lest unread bytes undo the last ones sent.
    case lingering
    /// To be taken down.
    case over(ConnectionEnd)
  }

  init(id: UInt64, streams: Streams, loop: EventLoop) {
    self.id = id
    self.streams = streams
    self.loop = loop
    limits = loop.limits
  }

  /// The token of the descriptor that is written, where it is not the one that is read.
  var writingToken: UInt64 { id + 1 }

  /// How many bytes wait to be sent.
  public var queuedByteCount: Int { output.byteCount }

  /// Whether bytes sent now still reach the peer.
  public var isOpen: Bool {
    if case .open = phase { true } else { false }
  }

  /// Queues bytes to be sent at the end of this turn.
  ///
  /// A connection whose queue would pass the limit of its loop is cut: the peer does not read.
  /// After `close` or `cut` nothing happens.
  public func send(_ bytes: [UInt8]) {
    if takes(bytes.count) { output.append(bytes) }
  }

  /// Queues bytes to be sent at the end of this turn; see the same with an array.
  public func send(_ bytes: UnsafeRawBufferPointer) {
    if takes(bytes.count) { output.append(bytes) }
  }

  private func takes(_ byteCount: Int) -> Bool {
    guard isOpen else { return false }
    if output.byteCount + byteCount > limits.outputByteCountMax {
      cut(.slowReader)
      return false
    }
    loop?.note(self)
    if output.byteCount + byteCount > limits.congestionByteCount { isCongested = true }
    return true
  }

  /// Sends what is queued, then closes; no more bytes are received.
  public func close() {
    guard isOpen else { return }
    phase = .closing
    loop?.note(self)
  }

  /// Ends it at once, with what is queued unsent.
  public func cut(_ reason: ConnectionEnd = .cut) {
    if case .over = phase { return }
    phase = .over(reason)
    loop?.note(self)
  }

  /// Receives nothing more until `resumeReading`: the peer is made to wait.
  public func pauseReading() {
    isPaused = true
    loop?.note(self)
  }

  /// Receives again.
  public func resumeReading() {
    isPaused = false
    loop?.note(self)
  }

  var wantsRead: Bool {
    switch phase {
    case .open: !isInputEnded && !isPaused && !isCongested
    case .lingering: !isInputEnded
    case .closing, .over: false
    }
  }

  func noteInputEnd() { isInputEnded = true }

  /// Notes that the queue has become shorter; true where it is congested no more.
  func noteDrained() -> Bool {
    guard isCongested, output.byteCount <= limits.congestionByteCount / 2 else { return false }
    isCongested = false
    return true
  }

  /// The next moment at which something is to be done about it.
  var nextTime: MonotonicTime? {
    let own = isOpen ? deadline : nil
    guard let own, let internalDeadline else { return own ?? internalDeadline }
    return min(own, internalDeadline)
  }
}
