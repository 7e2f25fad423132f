/// A client's side of a conversation: what may be sent when, and what may come back.
///
/// It does no I/O and decides nothing about data. It greets, checks the version, says who it is,
/// numbers requests and keeps no more of them in flight than the server announced, finds the request
/// that a reply answers, refuses replies that do not belong, checks that pages of the log follow
/// each other, and watches whether the server is alive.
public struct ClientConversation: Sendable {
  /// What a line, or the time, came to.
  public enum Event: Hashable, Sendable {
    /// Nothing to do.
    case nothing
    /// The server greets back; `authenticate` is next.
    case welcome(Welcome)
    /// The handshake is done; requests may be sent.
    case ready(Ready)
    /// The answer to a request.
    case reply(RequestID, Request, Reply)
    /// A request was refused, and the conversation goes on.
    case refused(RequestID, Request, ErrorMessage)
    /// Something has changed at the server.
    case note(Note)
    /// This line is to be sent.
    case send([UInt8])
    /// The server will send nothing more, and nothing was in flight.
    case bye
    /// The conversation is over; the connection is to be closed.
    case failed(ConversationFailure)
  }

  private enum State: Sendable {
    case awaitingWelcome
    case welcomed
    case awaitingReady
    case open
    case ended
  }

  private let hello: Hello
  private var state = State.awaitingWelcome
  private var inFlight: [RequestID: Request] = [:]
  private var lastID = RequestID(0)
  private var pings = PingCounter()
  private var liveness: Liveness
  /// What the server announced; the bounds of version 1 before it did.
  public private(set) var limits = Limits(inFlight: 1)

  /// A conversation that begins at `now` with `hello`.
  public init(hello: Hello, at now: Duration) {
    self.hello = hello
    liveness = Liveness(at: now)
  }

  /// The most bytes of a line that may come now; the framer's limit.
  public var lineByteLimit: Int {
    state == .open ? Wire.lineByteLimit : Wire.handshakeLineByteLimit
  }

  /// Whether another request may be sent now.
  public var canSend: Bool { state == .open && inFlight.count < limits.inFlight }

  /// How many requests wait for their answer.
  public var inFlightCount: Int { inFlight.count }

  /// When `tick` is due, if nothing arrives before.
  public var deadline: Duration { liveness.deadline }

  // MARK: What goes out

  /// The first line.
  ///
  /// - Precondition: Called once.
  public mutating func start() -> [UInt8] {
    precondition(lastID.value == 0, "a conversation starts once")
    return number(.hello(hello)).line
  }

  /// The second line, after the welcome.
  ///
  /// - Precondition: Called once, after `Event.welcome`.
  public mutating func authenticate(_ authentication: Authentication) -> [UInt8] {
    precondition(state == .welcomed, "authentication follows the welcome")
    state = .awaitingReady
    return number(.auth(authentication)).line
  }

  /// The line of a request, with its number.
  ///
  /// - Precondition: `canSend`.
  public mutating func send(_ request: Request) -> (id: RequestID, line: [UInt8]) {
    precondition(canSend, "no request may be sent now")
    return number(request)
  }

  /// The line that says that nothing more will be sent.
  public mutating func bye() -> [UInt8] { Message.bye.line }

  private mutating func number(_ request: Request) -> (id: RequestID, line: [UInt8]) {
    lastID = RequestID(lastID.value + 1)
    inFlight[lastID] = request
    return (lastID, Message.request(lastID, request).line)
  }

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
      return fail(.malformed(error))
    }
  }

  /// Notes that bytes arrived which do not make up a line.
  ///
  /// Before the handshake is done they count for nothing: a peer that trickles is given up.
  public mutating func hear(at now: Duration) {
    if state == .open { liveness.hear(at: now) }
  }

  /// Takes a fault of framing, after which no line can be read.
  public mutating func receive(_ error: WireError) -> Event { fail(.malformed(error)) }

  /// Says how late it is; to be called at `deadline`.
  public mutating func tick(at now: Duration) -> Event {
    guard state != .ended else { return .nothing }
    switch liveness.check(at: now) {
    case .wait: return .nothing
    case .ping:
      lastID = RequestID(lastID.value + 1)
      return .send(pings.next(lastID))
    case .giveUp: return fail(.silence)
    }
  }

  private mutating func fail(_ failure: ConversationFailure) -> Event {
    state = .ended
    return .failed(failure)
  }

  private mutating func handle(_ message: Message) -> Event {
    switch message {
    case .reply(let re, let reply): return handle(re, reply)
    case .error(let re, let error): return handle(re, error)
    case .request(let id, .ping):
      return state == .open ? .send(Message.reply(id, .pong).line) : fail(.unexpectedMessage)
    case .request: return fail(.unexpectedMessage)
    case .note(let note): return state == .open ? .note(note) : fail(.unexpectedMessage)
    case .bye:
      guard state == .open, inFlight.isEmpty else { return fail(.goodbye) }
      state = .ended
      return .bye
    case .unknown(let unknown): return handle(unknown)
    }
  }

  private mutating func handle(_ unknown: UnknownMessage) -> Event {
    guard state == .open else { return fail(.unexpectedMessage) }
    if let re = unknown.re {
      guard let request = inFlight[re] else { return fail(.unexpectedReply) }
      return fail(.wrongReply(to: request.type))
    }
    // A request of a newer server is refused; anything else it may tell is not for this client.
    guard let id = unknown.id else { return .nothing }
    return .send(Message.error(id, .unsupported).line)
  }

  private mutating func handle(_ re: RequestID, _ reply: Reply) -> Event {
    if case .pong = reply { return pings.take(re) ? .nothing : fail(.unexpectedReply) }
    guard let request = inFlight.removeValue(forKey: re) else { return fail(.unexpectedReply) }
    guard reply.type == request.replyType else { return fail(.wrongReply(to: request.type)) }
    switch (request, reply) {
    case (_, .welcome(let welcome)):
      guard hello.versions.contains(welcome.version) else {
        return fail(.versionNotOffered(welcome.version))
      }
      limits = welcome.limits
      state = .welcomed
      return .welcome(welcome)
    case (_, .ready(let ready)):
      state = .open
      liveness.canPing = true
      return .ready(ready)
    default:
      if let failure = Self.check(reply, to: request) { return fail(failure) }
      return .reply(re, request, reply)
    }
  }

  private mutating func handle(_ re: RequestID?, _ error: ErrorMessage) -> Event {
    guard let re else { return fail(.refused(error)) }
    if pings.take(re) { return .nothing }
    guard let request = inFlight.removeValue(forKey: re) else { return fail(.unexpectedReply) }
    guard state == .open, error.response != .stop, error.response != .backOffLongest else {
      return fail(.refused(error))
    }
    return .refused(re, request, error)
  }
}
