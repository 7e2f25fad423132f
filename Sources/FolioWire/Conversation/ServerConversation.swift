/// A server's side of a conversation: what may come when, and what it is answered with.
///
/// It does no I/O and knows no account. Lines and the time go in; events and lines to send come out.
/// The first request must be `hello`, the second `auth`, each once; request numbers increase; no more
/// requests are in flight than were announced; each is answered once. The conversation answers
/// pings, types it does not know, and requests whose values are not right by itself.
///
/// ```swift
/// switch conversation.receive(line, at: now) {
/// case .request(let id, let request): send(conversation.reply(answer(request), to: id))
/// case .send(let line): send(line)
/// case .end(let line): send(line), close()
/// ...
/// }
/// ```
public struct ServerConversation: Sendable {
  /// What a line, or the time, came to.
  public enum Event: Hashable, Sendable {
    /// Nothing to do.
    case nothing
    /// A client greets; the version is agreed. To be answered by `welcome`.
    case hello(RequestID, Hello, version: Int)
    /// A client says who it is. To be answered by `ready`, or refused.
    case auth(RequestID, Authentication)
    /// A client asks for something. To be answered by the reply that belongs to it, or refused.
    case request(RequestID, Request)
    /// The client will send nothing more; what is in flight is still to be answered.
    case bye
    /// This line is to be sent, and the conversation goes on.
    case send([UInt8])
    /// This line is to be sent, if there is one, and the connection closed.
    case end([UInt8]?)
  }

  private enum State: Sendable {
    case awaitingHello
    case awaitingAuth
    case open
    case ended
  }

  private let limits: Limits
  private var state = State.awaitingHello
  /// The requests received and not answered, with the type that answers each.
  private var inFlight: [RequestID: MessageType] = [:]
  private var lastID = RequestID(0)
  private var pings = PingCounter()
  private var liveness: Liveness

  /// A conversation that begins at `now`, in which `limits` are announced.
  public init(limits: Limits = Limits(), at now: Duration) {
    self.limits = limits
    liveness = Liveness(at: now)
  }

  /// The most bytes of a line that may come now; the framer's limit.
  public var lineByteLimit: Int {
    state == .open ? limits.lineBytes : Wire.handshakeLineByteLimit
  }

  /// Whether the handshake is done and the conversation not ended.
  public var isOpen: Bool { state == .open }

  /// How many requests wait for their answer.
  public var inFlightCount: Int { inFlight.count }

  /// When `tick` is due, if nothing arrives before.
  public var deadline: Duration { liveness.deadline }

  // MARK: What comes in

  /// Takes a line, its end left out.
  ///
  /// An empty one is a sign of life and nothing else.
  public mutating func receive(_ line: [UInt8], at now: Duration) -> Event {
    guard state != .ended else { return .nothing }
    if state == .open || !line.isEmpty { liveness.hear(at: now) }
    guard !line.isEmpty else { return .nothing }
    do throws(WireError) {
      return handle(try Message(line: line))
    } catch {
      return handle(error)
    }
  }

  /// Notes that bytes arrived which do not make up a line.
  ///
  /// Before the handshake is done they count for nothing: a peer that trickles is given up.
  public mutating func hear(at now: Duration) {
    if state == .open { liveness.hear(at: now) }
  }

  /// Takes a fault of framing, after which no line can be read.
  public mutating func receive(_ error: WireError) -> Event { end(.malformed(error)) }

  /// Says how late it is; to be called at `deadline`.
  public mutating func tick(at now: Duration) -> Event {
    guard state != .ended else { return .nothing }
    switch liveness.check(at: now) {
    case .wait: return .nothing
    case .ping: return .send(pings.next())
    case .giveUp:
      state = .ended
      return .end(nil)
    }
  }

  private mutating func handle(_ message: Message) -> Event {
    switch message {
    case .request(let id, let request): return handle(id, request)
    case .reply(let re, .pong):
      return pings.take(re) ? .nothing : end(.unexpectedMessage)
    case .reply: return end(.unexpectedMessage)
    case .error(let re, _):
      // A client that does not know `ping` says so; any other error ends what it refuses.
      if let re, pings.take(re) { return .nothing }
      state = .ended
      return .end(nil)
    case .note: return end(.unexpectedMessage)
    case .bye: return .bye
    case .unknown(let unknown): return handle(unknown)
    }
  }

  private mutating func handle(_ id: RequestID, _ request: Request) -> Event {
    if let violation = admit(id, request.type) { return end(violation) }
    switch request {
    case .hello(let hello):
      guard let version = hello.versions.filter(Wire.versions.contains).max() else {
        return refuse(id, .versionUnsupported)
      }
      return .hello(id, hello, version: version)
    case .auth(let authentication): return .auth(id, authentication)
    case .ping:
      inFlight[id] = nil
      return .send(Message.reply(id, .pong).line)
    default:
      guard inFlight.count <= limits.inFlight else {
        return end(.tooManyInFlight(limit: limits.inFlight))
      }
      return .request(id, request)
    }
  }

  /// Notes a request as in flight; what is wrong with it where it may not come.
  private mutating func admit(_ id: RequestID, _ type: MessageType) -> ErrorMessage? {
    switch state {
    case .awaitingHello:
      guard type == .hello, lastID.value == 0 else { return .helloExpected }
    case .awaitingAuth:
      guard type == .auth, inFlight.isEmpty else { return .authExpected }
    case .open:
      guard type != .hello, type != .auth else { return .unexpectedMessage }
    case .ended: return .unexpectedMessage
    }
    guard id > lastID else { return .idNotIncreasing }
    lastID = id
    inFlight[id] = Request.replyType(to: type)
    return nil
  }

  private mutating func handle(_ unknown: UnknownMessage) -> Event {
    guard state == .open else {
      return end(state == .awaitingHello ? .helloExpected : .authExpected)
    }
    guard unknown.re == nil else { return end(.unexpectedMessage) }
    // Without a number nobody waits for an answer.
    guard let id = unknown.id else { return .nothing }
    guard id > lastID else { return end(.idNotIncreasing) }
    lastID = id
    return .send(Message.error(id, .unsupported).line)
  }

  private mutating func handle(_ error: WireError) -> Event {
    guard state == .open, let id = error.request else { return end(.malformed(error)) }
    guard id > lastID else { return end(.idNotIncreasing) }
    lastID = id
    return .send(Message.error(id, .badRequest(error)).line)
  }

  // MARK: What goes out

  /// The line that answers request `id`.
  ///
  /// - Precondition: The request is in flight, and the reply is of the type that belongs to it.
  public mutating func reply(_ reply: Reply, to id: RequestID) -> [UInt8] {
    precondition(inFlight.removeValue(forKey: id) == reply.type, "no such request in flight")
    switch reply {
    case .welcome: state = .awaitingAuth
    case .ready:
      state = .open
      liveness.canPing = true
    default: break
    }
    return Message.reply(id, reply).line
  }

  /// Refuses request `id`.
  ///
  /// The conversation ends where the handshake is not done, or for a fault of class `fatal`;
  /// otherwise it goes on.
  ///
  /// - Precondition: The request is in flight.
  public mutating func refuse(_ id: RequestID, _ error: ErrorMessage) -> Event {
    precondition(inFlight.removeValue(forKey: id) != nil, "no such request in flight")
    let line = Message.error(id, error).line
    guard state == .open, error.errorClass != .fatal else {
      state = .ended
      return .end(line)
    }
    return .send(line)
  }

  /// Ends the conversation with a fault that is no request's own.
  public mutating func end(_ error: ErrorMessage) -> Event {
    guard state != .ended else { return .end(nil) }
    state = .ended
    return .end(Message.error(nil, error).line)
  }

  /// The line that tells a subscriber of a change.
  public func note(_ note: Note) -> [UInt8] { Message.note(note).line }

  /// The line that says that nothing more will be sent.
  public func bye() -> [UInt8] { Message.bye.line }
}

/// The numbers of a side's own pings.
struct PingCounter: Sendable {
  private var last = RequestID(0)
  private var waiting: Set<RequestID> = []

  /// The line of another ping.
  mutating func next(_ id: RequestID? = nil) -> [UInt8] {
    last = id ?? RequestID(last.value + 1)
    waiting.insert(last)
    return Message.request(last, .ping).line
  }

  /// Notes that ping `id` was answered; false where it was never sent.
  mutating func take(_ id: RequestID) -> Bool { waiting.remove(id) != nil }
}
