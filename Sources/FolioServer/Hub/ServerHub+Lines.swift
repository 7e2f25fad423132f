import FolioDomain
import FolioWire

extension ServerHub {
  /// A request that waits for the next commit.
  struct Submitted {
    var connection: Connection
    var request: RequestID
    var submission: LogSubmission
  }

  /// Handles lines until none is left that can be handled, with a commit for each round.
  func handleArrived(at now: Duration) {
    while true {
      var batch: [Submitted] = []
      var bytes = 0
      let connections = ready
      ready.removeAll(keepingCapacity: true)
      for connection in connections {
        connection.isReady = false
        if gather(from: connection, into: &batch, &bytes, at: now) { makeReady(connection) }
      }
      if !batch.isEmpty {
        commit(batch, at: now)
      } else if bytes < limits.commitBytes {
        return
      }
    }
  }

  /// Handles the lines of one connection, up to one that has to wait; says whether one may have to.
  private func gather(
    from connection: Connection, into batch: inout [Submitted], _ bytes: inout Int,
    at now: Duration
  ) -> Bool {
    while bytes < limits.commitBytes {
      guard connection.isHeard, !connection.isLeaving,
        connection.output.count < limits.waitingOutput
      else { return false }
      if let waiting = connection.waiting {
        if connection.committing > 0 { return true }
        connection.waiting = nil
        answer(waiting.id, waiting.request, on: connection, at: now)
        continue
      }
      guard let event = nextEvent(of: connection, &bytes, at: now) else { return false }
      handle(event, on: connection, into: &batch, at: now)
    }
    return true
  }

  /// What the next line comes to; nil where none has arrived.
  private func nextEvent(
    of connection: Connection, _ bytes: inout Int, at now: Duration
  ) -> ServerConversation.Event? {
    do throws(WireError) {
      connection.framer.lineByteLimit = connection.conversation.lineByteLimit
      guard let line = try connection.framer.next() else {
        if connection.hasInputEnded {
          connection.hasInputEnded = false
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
        log.write(LogLine(.warning, "line_refused", connection: connection.id.value))
      }
      return event
    } catch {
      log.write(
        LogLine(
          .warning, "line_refused", connection: connection.id.value,
          ["code": .text(error.code.text), "offset": .number(Int64(error.offset))]))
      return connection.conversation.receive(error)
    }
  }

  private func tooMuch(_ connection: Connection) -> Bool {
    !connection.conversation.isOpen && connection.bytesBeforeLogin > limits.bytesBeforeLogin
  }

  private func handle(
    _ event: ServerConversation.Event, on connection: Connection,
    into batch: inout [Submitted], at now: Duration
  ) {
    switch event {
    case .nothing: break
    case .hello(let request, _, _):
      reply(.welcome(service.welcome()), to: request, on: connection, at: now)
    case .auth(let request, let authentication):
      logIn(authentication, request, on: connection, at: now)
    case .request(let request, let content):
      guard let member = connection.member else { return }
      if let submission = service.submission(
        content, account: member.account, device: member.device)
      {
        connection.committing += 1
        batch.append(Submitted(connection: connection, request: request, submission: submission))
      } else if connection.committing > 0 {
        connection.waiting = (request, content)
      } else {
        answer(request, content, on: connection, at: now)
      }
    case .bye:
      connection.isLeaving = true
      endIfDone(connection, at: now)
    case .send, .end: send(event, on: connection, at: now)
    }
  }

  /// Ends a connection whose client has left, once all it asked for is answered.
  func endIfDone(_ connection: Connection, at now: Duration) {
    if connection.isLeaving, connection.committing == 0 { beginEnding(connection, at: now) }
  }

  func beginEnding(_ connection: Connection, at now: Duration) {
    guard connection.isHeard else { return }
    connection.endingSince = now
    touch(connection)
    if let member = connection.member { release(member, connection.id) }
  }

  /// Puts out the lines that the conversation asks to be sent.
  func send(_ event: ServerConversation.Event, on connection: Connection, at now: Duration) {
    switch event {
    case .send(let line): put(line, on: connection, at: now)
    case .end(let line):
      if let line { put(line, on: connection, at: now) }
      beginEnding(connection, at: now)
    default: break
    }
  }

  func reply(_ reply: Reply, to request: RequestID, on connection: Connection, at now: Duration) {
    put(connection.conversation.reply(reply, to: request), on: connection, at: now)
  }

  func refuse(
    _ error: ErrorMessage, _ request: RequestID, on connection: Connection, at now: Duration
  ) {
    log.write(
      LogLine(
        .info, "request_refused", connection: connection.id.value, ["code": .text(error.code)]))
    send(connection.conversation.refuse(request, error), on: connection, at: now)
  }

  func end(_ error: ErrorMessage, _ connection: Connection, at now: Duration) {
    send(connection.conversation.end(error), on: connection, at: now)
  }
}
