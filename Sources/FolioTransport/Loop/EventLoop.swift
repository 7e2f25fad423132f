public import FolioSystem

/// Serves many connections on one thread: it waits for all of them, gives each what came, and sends
/// what they queued once everybody had a turn.
///
/// It knows nothing of what the bytes mean. All of it is for the thread that calls `run`, but for
/// `waker`.
public final class EventLoop {
  /// How much a loop takes.
  public struct Limits: Sendable {
    /// How many connections at once; further ones are closed as they come.
    public var connectionCountMax = 20_000
    /// How many bytes are read from a connection in one turn.
    public var readByteCount = 1 << 16
    /// How many bytes may wait to be sent on a connection before it is cut.
    public var outputByteCountMax = 16 << 20
    /// How many may wait before nothing more is read from it.
    public var congestionByteCount = 1 << 20
    /// How long what waits to be sent may stand still before the connection is cut.
    public var outputStall = Duration.seconds(30)
    /// How long, after everything is sent, the peer's closing is waited for.
    public var linger = Duration.seconds(2)

    /// Limits for a server on a small machine.
    public init() {}
  }

  /// Reaches this loop from other threads.
  public let waker: LoopWaker
  /// By which timers and deadlines go.
  public let clock: any MonotonicClock
  /// What a connection may use.
  public let limits: Limits
  /// Called when everybody had a turn and before anything is sent.
  ///
  /// What must be durable before it is acknowledged is made so here, for all at once. It may come
  /// several times a turn.
  public var turnEnded: (() -> Void)?
  /// The connections, by id.
  public internal(set) var connections: [UInt64: LoopConnection] = [:]

  let poller: any Poller
  var registrations: [UInt64: Registration] = [:]
  var listeners: [UInt64: Listener] = [:]
  var timers = TimerQueue()
  var timerBodies: [UInt64: () -> Void] = [:]
  var noted: [LoopConnection] = []
  let buffer: UnsafeMutableRawBufferPointer
  /// The number of this turn; how many were heard since it was last looked who is ready.
  private(set) var turn: UInt64 = 0
  var heardCount = 0
  private var events: [ReadyEvent] = []
  private var lastToken: UInt64 = 0
  private var isStopped = false

  enum Registration {
    case waker
    case listener(Listener)
    case watch(Int32, () -> Void)
    case connection(LoopConnection)
  }

  /// A loop with nothing to serve.
  public convenience init(
    limits: Limits = Limits(), clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(TransportError) {
    let poller: any Poller
    do throws(Errno) {
      poller = try makePoller()
    } catch {
      throw .of(error, operation: "make a loop for")
    }
    try self.init(limits: limits, clock: clock, poller: poller)
  }

  init(
    limits: Limits, clock: any MonotonicClock, poller: any Poller
  ) throws(TransportError) {
    Signal.ignoreBrokenPipe()
    self.limits = limits
    self.clock = clock
    self.poller = poller
    buffer = .allocate(byteCount: limits.readByteCount, alignment: 16)
    do throws(Errno) {
      waker = try LoopWaker()
    } catch {
      poller.close()
      throw .of(error, operation: "make a loop for")
    }
    try register(waker.reading, .waker)
  }

  deinit {
    for connection in connections.values { connection.streams.close() }
    for listener in listeners.values { callClose(listener.descriptor) }
    poller.close()
    buffer.deallocate()
  }

  /// A token that was never used; the one after it is kept free, for a second descriptor.
  func nextToken() -> UInt64 {
    lastToken += 2
    return lastToken
  }

  @discardableResult
  private func register(
    _ descriptor: Int32, _ registration: Registration
  ) throws(TransportError) -> UInt64 {
    let token = nextToken()
    try setInterest(descriptor, token, from: [], to: .read)
    registrations[token] = registration
    return token
  }

  func setInterest(
    _ descriptor: Int32, _ token: UInt64, from old: Interest, to new: Interest
  ) throws(TransportError) {
    do throws(Errno) {
      try poller.set(descriptor, token: token, from: old, to: new)
    } catch {
      throw .of(error, operation: "wait for")
    }
  }

  /// Calls `readable` whenever `descriptor` has something to read; for a `SignalPipe`.
  ///
  /// It does not keep the loop running.
  public func watch(
    _ descriptor: FileDescriptor, readable: @escaping () -> Void
  ) throws(TransportError) {
    try register(descriptor.rawValue, .watch(descriptor.rawValue, readable))
  }

  /// Calls `body` once, at `time` or as soon after it as the loop gets to it.
  ///
  /// - Returns: a number by which `cancelTimer` takes it back.
  @discardableResult
  public func setTimer(at time: MonotonicTime, _ body: @escaping () -> Void) -> UInt64 {
    let id = nextToken()
    timerBodies[id] = body
    timers.insert(TimerQueue.Entry(time: time, id: id))
    return id
  }

  /// Takes back a timer that has not gone off.
  public func cancelTimer(_ id: UInt64) { timerBodies[id] = nil }

  /// Ends `run` after this turn; connections that are left are ended with it.
  public func stop() { isStopped = true }

  /// Serves until `stop` is called, or until there is no connection and no listener; to be called
  /// once.
  ///
  /// Afterwards the loop holds nothing that it was given to call.
  ///
  /// - Throws: only where the system refuses to wait, which leaves nothing to be done.
  public func run() throws(TransportError) {
    settle()
    while !isStopped, !(connections.isEmpty && listeners.isEmpty) {
      try takeEvents(milliseconds: pollMilliseconds())
      fireTimers()
      settle()
    }
    endAll()
  }

  /// Waits, and hears everybody who has something to say once.
  ///
  /// Those who come while others are read are heard too: what is made durable at the end of the turn
  /// is made so for them as well. A turn ends when nobody is new, or everybody was heard.
  private func takeEvents(milliseconds: Int32) throws(TransportError) {
    turn += 1
    var wait = milliseconds
    repeat {
      events.removeAll(keepingCapacity: true)
      do throws(Errno) {
        try poller.wait(milliseconds: wait, into: &events)
      } catch {
        throw .of(error, operation: "wait for")
      }
      heardCount = 0
      for event in events { handle(event) }
      wait = 0
    } while heardCount > 0 && !isStopped
  }

  private func pollMilliseconds() -> Int32 {
    guard let first = timers.first else { return -1 }
    return FolioTransport.pollMilliseconds(until: first.time, now: clock.now())
  }

  private func endAll() {
    stopListening()
    for connection in connections.values { connection.cut(.stopped) }
    settle()
    // What was to be called may hold the loop, which would then hold itself for ever.
    turnEnded = nil
    timerBodies = [:]
    registrations = [:]
  }

  /// Has the connection looked after at the end of this turn.
  func note(_ connection: LoopConnection) {
    if connection.isNoted { return }
    connection.isNoted = true
    noted.append(connection)
  }
}
