import FolioDomain
import FolioWire

extension ServerHub {
  /// A request that waits for the next commit.
  struct Submitted {
    var connection: ConnectionID
    var request: RequestID
    var submission: LogSubmission
  }

  /// Handles lines until none is left that can be handled, with a commit for each round.
  func handleArrived(at now: Duration) {
    while true {
      var batch: [Submitted] = []
      var bytes = 0
      for id in ready.sorted() {
        gather(from: id, into: &batch, &bytes, at: now)
        if bytes >= limits.commitBytes { break }
      }
      if !batch.isEmpty {
        commit(batch, at: now)
      } else if bytes < limits.commitBytes {
        return
      }
    }
  }

  /// Handles the lines of one connection, up to one that has to wait.
  private func gather(
    from id: ConnectionID, into batch: inout [Submitted], _ bytes: inout Int, at now: Duration
  ) {
    while bytes < limits.commitBytes {
      guard let connection = connections[id], !connection.isEnding, !connection.isLeaving,
        connection.output.count < limits.waitingOutput
      else {
        ready.remove(id)
        return
      }
      if let waiting = connection.waiting {
        if connection.committing > 0 { return }
        connection.waiting = nil
        answer(waiting.id, waiting.request, on: id, at: now)
        continue
      }
      guard let event = nextEvent(of: connection, id, &bytes, at: now) else {
        ready.remove(id)
        return
      }
      handle(event, on: id, into: &batch, at: now)
    }
  }

  /// What the next line comes to; nil where none has arrived.
  private func nextEvent(
    of connection: Connection, _ id: ConnectionID, _ bytes: inout Int, at now: Duration
  ) -> ServerConversation.Event? {
    do throws(WireError) {
      connection.framer.lineByteLimit = connection.conversation.lineByteLimit
      guard let line = try connection.framer.next() else {
        if inputEnded.remove(id) != nil {
          try connection.framer.finish()
          return .bye
        }
        connection.lineSince =
          connection.framer.pendingByteCount == 0 ? nil : connection.lineSince ?? now
        return tooMuch(connection) ? connection.conversation.end(.loginTooLong) : nil
      }
      bytes += line.count
      connection.lineSince = nil
      let event = connection.conversation.receive(line, at: now)
      if case .end = event {
        log.write(LogLine(.warning, "line_refused", connection: id.value))
      }
      return event
    } catch {
      log.write(
        LogLine(
          .warning, "line_refused", connection: id.value,
          ["code": .text(error.code.text), "offset": .number(Int64(error.offset))]))
      return connection.conversation.receive(error)
    }
  }

  private func tooMuch(_ connection: Connection) -> Bool {
    !connection.conversation.isOpen && connection.bytesBeforeLogin > limits.bytesBeforeLogin
  }

  private func handle(
    _ event: ServerConversation.Event, on id: ConnectionID, into batch: inout [Submitted],
    at now: Duration
  ) {
    switch event {
    case .nothing: break
    case .hello(let request, _, _):
      reply(.welcome(service.welcome()), to: request, on: id, at: now)
    case .auth(let request, let authentication):
      logIn(authentication, request, on: id, at: now)
    case .request(let request, let content):
      guard let connection = connections[id], let member = connection.member else { return }
      if let submission = service.submission(
        content, account: member.account, device: member.device)
      {
        connection.committing += 1
        batch.append(Submitted(connection: id, request: request, submission: submission))
      } else if connection.committing > 0 {
        connection.waiting = (request, content)
      } else {
        answer(request, content, on: id, at: now)
      }
    case .bye:
      connections[id]?.isLeaving = true
      endIfDone(id, at: now)
    case .send, .end: send(event, on: id, at: now)
    }
  }

  /// Ends a connection whose client has left, once all it asked for is answered.
  func endIfDone(_ id: ConnectionID, at now: Duration) {
    guard let connection = connections[id], connection.isLeaving, connection.committing == 0
    else { return }
    beginEnding(id, at: now)
  }

  func beginEnding(_ id: ConnectionID, at now: Duration) {
    guard let connection = connections[id], !connection.isEnding else { return }
    connection.endingSince = now
    touch(id)
    ready.remove(id)
    if let member = connection.member { release(member, id) }
  }

  /// Puts out the lines that the conversation asks to be sent.
  func send(_ event: ServerConversation.Event, on id: ConnectionID, at now: Duration) {
    switch event {
    case .send(let line): put(line, on: id, at: now)
    case .end(let line):
      if let line { put(line, on: id, at: now) }
      beginEnding(id, at: now)
    default: break
    }
  }

  func reply(_ reply: Reply, to request: RequestID, on id: ConnectionID, at now: Duration) {
    guard let line = connections[id]?.conversation.reply(reply, to: request) else { return }
    put(line, on: id, at: now)
  }

  func refuse(_ error: ErrorMessage, _ request: RequestID, on id: ConnectionID, at now: Duration) {
    log.write(
      LogLine(
        .info, "request_refused", connection: id.value, ["code": .text(error.code)]))
    guard let event = connections[id]?.conversation.refuse(request, error) else { return }
    send(event, on: id, at: now)
  }

  func end(_ error: ErrorMessage, _ id: ConnectionID, at now: Duration) {
    guard let event = connections[id]?.conversation.end(error) else { return }
    send(event, on: id, at: now)
  }
}
