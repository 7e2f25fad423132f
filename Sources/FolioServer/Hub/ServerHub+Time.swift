import FolioWire

extension ServerHub {
  /// Does what is due by the clock: pings, giving up, cutting off.
  func tick(at now: Duration) {
    publishDueTables()
    tidyIfIdle()
    for connection in connections.values.sorted(by: { $0.id < $1.id }) {
      if let since = connection.endingSince {
        if now - since >= limits.lingerTime {
          connection.output = OutputBuffer()
          touch(connection)
        }
        continue
      }
      if isOverdue(connection, at: now) {
        log.write(LogLine(.warning, "cut_off", connection: connection.id.value))
        end(connection.conversation.isOpen ? .tooSlow : .loginTooLong, connection, at: now)
      } else if now >= connection.conversation.deadline {
        send(connection.conversation.tick(at: now), on: connection, at: now)
      }
    }
    cutClosedAccounts(at: now)
  }

  private func isOverdue(_ connection: Connection, at now: Duration) -> Bool {
    if !connection.conversation.isOpen { return now - connection.openedAt >= limits.loginTime }
    if let since = connection.output.stalledSince, now - since >= limits.stalledOutputTime {
      return true
    }
    if let since = connection.lineSince, now - since >= limits.lineTime { return true }
    return false
  }

  private func publishDueTables() {
    do {
      try service.publishDueTables()
    } catch {
      log.write(LogLine(.error, "storage_failed", ["reason": .text("\(error)")]))
    }
  }

  /// Puts in its place what was stored for later, once nothing was committed between two ticks.
  private func tidyIfIdle() {
    defer { hasCommitted = false }
    if !hasCommitted { tidy() }
  }

  /// Puts in its place what was stored for later.
  func tidy() {
    do {
      try service.storage.tidy()
    } catch {
      log.write(LogLine(.error, "storage_failed", ["reason": .text("\(error)")]))
    }
  }

  /// Cuts the connections of accounts that were disabled meanwhile, by whichever process.
  private func cutClosedAccounts(at now: Duration) {
    let accounts = Set(devices.keys.map(\.account))
    for account in accounts where (try? service.isClosed(account)) == true {
      for (key, id) in devices where key.account == account {
        log.write(LogLine(.info, "account_closed", connection: id.value))
        if let connection = connections[id] { end(.accountUnknown, connection, at: now) }
      }
    }
  }

  /// Ends a connection because the server stops.
  func sayGoodbye(_ connection: Connection, at now: Duration) {
    guard !connection.isEnding else { return }
    if connection.conversation.isOpen {
      put(connection.conversation.bye(), on: connection, at: now)
      beginEnding(connection, at: now)
    } else {
      end(.shuttingDown, connection, at: now)
    }
  }
}
