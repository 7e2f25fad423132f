internal import FolioSystem

extension EventLoop {
  func handle(_ event: ReadyEvent) {
    switch registrations[event.token] {
    case nil: return
    case .waker: for body in waker.take() { body(self) }
    case .watch(_, let readable): readable()
    case .listener(let listener): accept(from: listener)
    case .connection(let connection):
      // Writing waits for the end of the turn, when there may be more to write.
      if event.interest.contains(.write) { note(connection) }
      if event.interest.contains(.read), connection.wantsRead { receive(on: connection) }
    }
  }

  /// Reads from a connection, once a turn.
  private func receive(on connection: LoopConnection) {
    guard connection.lastTurn != turn else { return }
    connection.lastTurn = turn
    heardCount += 1
    let count: Int
    do throws(TransportError) {
      count = try connection.streams.receive(into: buffer)
    } catch {
      connection.cut(error == .reset ? .reset : .failed(error))
      return
    }
    if count > 0 {
      // What comes after the last word is thrown away.
      guard connection.isOpen else { return }
      connection.handler?.received(
        UnsafeRawBufferPointer(rebasing: buffer[..<count]), on: connection)
    } else if connection.streams.isEnded {
      connection.noteInputEnd()
      note(connection)
      if connection.isOpen { connection.handler?.inputEnded(on: connection) }
    }
  }

  func fireTimers() {
    let now = clock.now()
    while let first = timers.first, first.time <= now {
      _ = timers.removeFirst()
      if let body = timerBodies.removeValue(forKey: first.id) {
        body()
      } else if let connection = connections[first.id], connection.timerTime == first.time {
        connection.timerTime = nil
        note(connection)
        fire(connection, now)
      }
    }
  }

  private func fire(_ connection: LoopConnection, _ now: MonotonicTime) {
    if let time = connection.internalDeadline, time <= now {
      // In its last phase nothing is lost: all was sent, only the peer's closing has not come.
      if case .lingering = connection.phase {
        connection.cut(.closed)
      } else {
        connection.cut(.slowReader)
      }
    } else if connection.isOpen, let time = connection.deadline, time <= now {
      connection.deadline = nil
      connection.handler?.deadlinePassed(on: connection)
    }
  }

  /// Looks after every connection that something happened to, until nothing more happens.
  func settle() {
    repeat {
      turnEnded?()
      let connections = noted
      noted = []
      for connection in connections {
        connection.isNoted = false
        settle(connection)
      }
    } while !noted.isEmpty
  }

  private func settle(_ connection: LoopConnection) {
    guard connections[connection.id] != nil else { return }
    if !connection.output.isEmpty { flush(connection) }
    if case .closing = connection.phase, connection.output.isEmpty { linger(connection) }
    if case .lingering = connection.phase, connection.isInputEnded {
      connection.phase = .over(.closed)
    }
    if case .over(let reason) = connection.phase {
      remove(connection, reason)
      return
    }
    updateInterests(connection)
    updateTimer(connection)
  }

  private func flush(_ connection: LoopConnection) {
    if case .over = connection.phase { return }
    // One connection with much to send must not keep the others waiting.
    var room = limits.congestionByteCount
    var sent = false
    do throws(TransportError) {
      while !connection.output.isEmpty, room > 0 {
        let count = try connection.output.consume { bytes throws(TransportError) in
          try connection.streams.send(bytes, isReceiving: false)
        }
        if count == 0 { break }
        sent = true
        room -= count
      }
    } catch {
      connection.cut(error == .reset ? .reset : .failed(error))
      return
    }
    if connection.output.isEmpty {
      connection.internalDeadline = nil
    } else if sent || connection.internalDeadline == nil {
      connection.internalDeadline = clock.now() + limits.outputStall
    }
    if connection.noteDrained() { connection.handler?.drained(connection) }
  }

  /// All is sent: the peer is told, and where it may still be sending, heard out without listening.
  private func linger(_ connection: LoopConnection) {
    if !connection.streams.isShared || connection.isInputEnded {
      connection.phase = .over(.closed)
      return
    }
    connection.streams.finishSending()
    connection.phase = .lingering
    connection.internalDeadline = clock.now() + limits.linger
  }

  private func updateInterests(_ connection: LoopConnection) {
    let read: Interest = connection.wantsRead ? .read : []
    let write: Interest = connection.output.isEmpty ? [] : .write
    do throws(TransportError) {
      let old = connection.interests
      if connection.streams.isShared {
        let new = read.union(write)
        try setInterest(connection.streams.reading, connection.id, from: old.reading, to: new)
        connection.interests.reading = new
      } else {
        try setInterest(connection.streams.reading, connection.id, from: old.reading, to: read)
        connection.interests.reading = read
        try setInterest(
          connection.streams.writing, connection.writingToken, from: old.writing, to: write)
        connection.interests.writing = write
      }
    } catch {
      connection.cut(.failed(error))
    }
  }

  private func updateTimer(_ connection: LoopConnection) {
    guard let time = connection.nextTime else { return }
    // An entry that comes too early is looked at again then; one too late would be missed.
    if let present = connection.timerTime, present <= time { return }
    connection.timerTime = time
    timers.insert(TimerQueue.Entry(time: time, id: connection.id))
  }

  private func remove(_ connection: LoopConnection, _ reason: ConnectionEnd) {
    let streams = connection.streams
    // Errors change nothing: closing takes a descriptor out by itself.
    try? setInterest(streams.reading, connection.id, from: connection.interests.reading, to: [])
    if !streams.isShared, streams.writing >= 0 {
      try? setInterest(
        streams.writing, connection.writingToken, from: connection.interests.writing, to: [])
    }
    registrations[connection.id] = nil
    registrations[connection.writingToken] = nil
    connections[connection.id] = nil
    connection.streams.close()
    connection.output = OutputQueue()
    let handler = connection.handler
    connection.handler = nil
    handler?.ended(reason, on: connection)
  }
}
