import FolioDomain
import FolioWire

extension ServerHub {
  /// Lets a device in whose account is known; it is trusted, and displaces its older connection.
  func logIn(
    _ authentication: Authentication, _ request: RequestID, on connection: Connection,
    at now: Duration
  ) {
    let member = Member(
      account: authentication.account, device: authentication.device.id,
      instance: authentication.device.instance)
    do {
      if let onlyAccount, onlyAccount != member.account { throw LogError.unknownAccount }
      let ready = try service.ready(authentication)
      displace(by: member, connection, at: now)
      connection.member = member
      log.write(
        LogLine(
          .info, "logged_in", connection: connection.id.value,
          ["account": .text(member.account), "device": .text(member.device.text)]))
      reply(.ready(ready), to: request, on: connection, at: now)
    } catch {
      refuse(message(for: error, on: connection), request, on: connection, at: now)
    }
  }

  private func displace(by member: Member, _ connection: Connection, at now: Duration) {
    let key = DeviceOfAccount(account: member.account, device: member.device)
    if let older = devices[key].flatMap({ connections[$0] }), let instance = older.member?.instance
    {
      log.write(
        LogLine(
          instance == member.instance ? .info : .warning, "displaced", connection: older.id.value,
          ["by": .number(Int64(connection.id.value))]))
      end(.displaced, older, at: now)
    }
    devices[key] = connection.id
  }

  /// Answers a request that only reads.
  func answer(_ request: RequestID, _ content: Request, on connection: Connection, at now: Duration)
  {
    guard let member = connection.member else { return }
    do {
      reply(
        try service.answer(content, account: member.account), to: request, on: connection, at: now)
    } catch LogError.unknownAccount {
      end(.accountUnknown, connection, at: now)
    } catch {
      refuse(message(for: error, on: connection), request, on: connection, at: now)
    }
  }

  /// Commits requests in one transaction and answers them.
  ///
  /// Where storing fails before anything is committed, each is tried by itself, so that one does
  /// not take the others with it. A commit that fails answers nothing: its connections are closed.
  func commit(_ batch: [Submitted], at now: Duration) {
    hasCommitted = true
    do {
      let results = try service.submit(batch.map(\.submission))
      for (submitted, result) in zip(batch, results) { answer(submitted, result, at: now) }
    } catch ServerStorageError.commitFailed(let reason) {
      log.write(LogLine(.error, "commit_failed", ["reason": .text(reason)]))
      for submitted in batch {
        submitted.connection.committing -= 1
        end(.storageFailed, submitted.connection, at: now)
      }
    } catch {
      if batch.count > 1 {
        for submitted in batch { commit([submitted], at: now) }
        return
      }
      for submitted in batch {
        let connection = submitted.connection
        connection.committing -= 1
        guard connection.isHeard else { continue }
        refuse(message(for: error, on: connection), submitted.request, on: connection, at: now)
        endIfDone(connection, at: now)
      }
    }
  }

  private func answer(
    _ submitted: Submitted, _ result: Result<LogReceipt, LogError>, at now: Duration
  ) {
    let connection = submitted.connection
    connection.committing -= 1
    guard connection.isHeard else { return }
    switch result {
    case .success(let receipt):
      note(receipt, submitted)
      let ack = Ack(results: receipt.results, acked: receipt.acked, head: receipt.head)
      reply(.ack(ack), to: submitted.request, on: connection, at: now)
    case .failure(.unknownAccount): end(.accountUnknown, connection, at: now)
    case .failure(let error):
      refuse(ErrorMessage(error), submitted.request, on: connection, at: now)
    }
    endIfDone(connection, at: now)
  }

  private func note(_ receipt: LogReceipt, _ submitted: Submitted) {
    guard let jump = receipt.jump else { return }
    log.write(
      LogLine(
        .warning, "clock_jump", connection: submitted.connection.id.value,
        [
          "account": .text(submitted.submission.account), "seq": .number(Int64(jump.seq)),
          "from": .text(jump.from.text), "to": .text(jump.to.text),
        ]))
  }

  /// What a client is told of an error, which is written to the log where it is the server's.
  private func message(for error: any Error, on connection: Connection) -> ErrorMessage {
    if let error = error as? LogError { return ErrorMessage(error) }
    log.write(
      LogLine(
        .error, "storage_failed", connection: connection.id.value, ["reason": .text("\(error)")]))
    return .storageFailed
  }
}
