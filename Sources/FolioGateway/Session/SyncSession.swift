package import FolioDomain
package import FolioSystem
import FolioWire

/// One connection of a sync, as bytes: what came in decides what goes out.
///
/// It does no I/O but for its storage, reads no clock of its own but the wall clock passed in, and
/// draws what it needs of randomness from the source passed in: the same bytes at the same times give
/// the same bytes. Whoever drives it sends what it gives out, hands it what arrives, and calls `tick`
/// at its deadline, until it has an outcome.
package struct SyncSession {
  /// What is to be done for the session.
  package enum Output: Hashable, Sendable {
    /// These bytes are to be sent.
    case send([UInt8])
    /// This may be shown.
    case progress(SyncProgress)
  }

  /// How a session ended.
  ///
  /// What it gave out before is still to be sent.
  package enum Outcome: Sendable {
    /// All was done.
    case finished
    /// The store has a new identity; another connection is to begin at once.
    case again
    /// It came to nothing more, for that reason.
    case failed(any Error)
  }

  private var framer = LineFramer()
  private var conversation: ClientConversation
  private var machine: SyncMachine
  private var queue: [SyncMachine.Outgoing] = []
  private var tags: [RequestID: Int] = [:]
  private var outputs: [Output] = []
  /// How the session ended; nil while it goes on.
  package private(set) var outcome: Outcome?

  /// A session that begins at `now`.
  ///
  /// - Parameters:
  ///   - memory: What earlier connections of the same sync came to.
  ///   - clock: The wall clock, by which the server's skew is told.
  /// - Throws: What the storage throws.
  package init(
    storage: any SyncStorage, options: SyncOptions, memory: SyncMemory = SyncMemory(),
    clock: any WallClock, random: any RandomSource, at now: MonotonicTime
  ) throws {
    machine = try SyncMachine(storage: storage, options: options, memory: memory, clock: clock)
    let client = Software(name: options.client.name, version: options.client.version)
    conversation = ClientConversation(
      hello: Hello(client: client, nonce: random.next128()), at: now.sinceStart)
  }

  /// What the sync has come to, this connection included.
  package var memory: SyncMemory { machine.memory }

  /// When `tick` is due, if nothing arrives before.
  package var deadline: MonotonicTime { MonotonicTime(sinceStart: conversation.deadline) }

  /// Begins the conversation; called once.
  package mutating func start() -> [Output] {
    outputs.append(.send(conversation.start()))
    return takeOutputs()
  }

  /// Takes bytes that arrived, cut anywhere.
  ///
  /// - Parameter ahead: Called before what arrived is stored, with what may be sent already: it takes
  ///   what it sends, so that the server is at work at the same time, and leaves the rest.
  package mutating func receive(
    _ bytes: some Collection<UInt8>, at now: MonotonicTime,
    ahead: (inout [Output]) -> Void = { _ in }
  ) -> [Output] {
    guard outcome == nil, !bytes.isEmpty else { return [] }
    framer.append(bytes)
    conversation.hear(at: now.sinceStart)
    while outcome == nil {
      framer.lineByteLimit = conversation.lineByteLimit
      do throws(WireError) {
        guard let line = try framer.next() else { break }
        handle(conversation.receive(line, at: now.sinceStart), ahead)
      } catch {
        handle(conversation.receive(error))
      }
    }
    return takeOutputs()
  }

  /// Says how late it is; to be called at `deadline`.
  package mutating func tick(at now: MonotonicTime) -> [Output] {
    guard outcome == nil else { return [] }
    handle(conversation.tick(at: now.sinceStart))
    return takeOutputs()
  }

  /// Says that nothing more will arrive or can be sent, for that reason.
  package mutating func end(_ reason: SyncError) {
    guard outcome == nil else { return }
    lose(reason)
  }

  // MARK: Events

  private mutating func handle(
    _ event: ClientConversation.Event, _ ahead: (inout [Output]) -> Void = { _ in }
  ) {
    do {
      switch event {
      case .nothing, .note: return
      case .send(let line): outputs.append(.send(line))
      case .welcome(let welcome):
        let authentication = try machine.receive(welcome)
        outputs.append(.send(conversation.authenticate(authentication)))
      case .ready(let ready): try machine.receive(ready)
      case .reply(let id, let request, let reply):
        try machine.receive(reply, to: request, tag: tags.removeValue(forKey: id) ?? 0)
      case .refused(let id, let request, let error):
        try machine.receive(error, to: request, tag: tags.removeValue(forKey: id) ?? 0)
      case .bye:
        throw SyncError.connectionLost("the server ended the conversation")
      case .failed(let failure): try take(failure)
      }
      advance()
      guard machine.isHolding else { return }
      ahead(&outputs)
      try machine.takeHeld()
      advance()
    } catch {
      lose(error)
    }
  }

  /// Ends for that reason, once what was read is stored.
  private mutating func lose(_ reason: any Error) {
    machine.noteLostConnection()
    do {
      try machine.storeRead()
      fail(reason)
    } catch {
      fail(error)
    }
  }

  private mutating func take(_ failure: ConversationFailure) throws {
    if case .refused(let error) = failure {
      if let supported = error.supported { throw SyncError.versionRefused(supported: supported) }
      if error.action == .newDevice { return try machine.renewIdentity() }
    }
    throw SyncError(failure)
  }

  /// Sends what the machine asks for, as far as it may be sent, and ends where it has ended.
  private mutating func advance() {
    outputs += machine.takeProgress().map(Output.progress)
    queue += machine.takeOutgoing()
    if let end = machine.end {
      outputs.append(.send(conversation.bye()))
      outcome = end == .finished ? .finished : .again
      return
    }
    while conversation.canSend, !queue.isEmpty {
      let next = queue.removeFirst()
      let (id, line) = conversation.send(next.request)
      tags[id] = next.tag
      outputs.append(.send(line))
    }
  }

  private mutating func fail(_ error: any Error) {
    outputs += machine.takeProgress().map(Output.progress)
    outcome = .failed(error)
  }

  private mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }
}

extension MonotonicTime {
  fileprivate var sinceStart: Duration { .nanoseconds(nanoseconds) }

  fileprivate init(sinceStart duration: Duration) {
    self.init(nanoseconds: duration.wholeNanoseconds)
  }
}

extension SyncError {
  /// The error that a conversation ended with.
  init(_ failure: ConversationFailure) {
    switch failure {
    case .malformed(let error): self = .violation(.unreadableLine(error))
    case .refused(let error): self = .refused(error)
    case .goodbye: self = .connectionLost("the server ended the conversation")
    case .versionNotOffered(let version): self = .violation(.versionNotOffered(version))
    case .unexpectedReply: self = .violation(.unexpectedMessage("reply"))
    case .wrongReply(let type): self = .violation(.unexpectedMessage("answer to \(type.rawValue)"))
    case .unexpectedMessage: self = .violation(.unexpectedMessage("request"))
    case .brokenPage: self = .violation(.brokenPage)
    case .gapInLog(let expected, let got):
      self = .violation(.gapInLog(expected: expected, got: got))
    case .bodyLeftOut(let seq): self = .violation(.bodyLeftOut(seq: seq))
    case .noProgress: self = .violation(.moreWithoutProgress)
    case .silence: self = .silent(seconds: Int(Wire.giveUpAfterMilliseconds / 1_000))
    @unknown default: self = .violation(.unexpectedMessage(failure.code))
    }
  }
}
