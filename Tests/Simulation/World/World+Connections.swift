import FolioDomain
import FolioGateway
import FolioServer
import FolioStore
import FolioSystem
import TestSupport

extension World {
  // MARK: Syncs

  /// Begins a sync, unless one is under way.
  func beginSync(_ device: SimulatedDevice, acceptsShorterLog: Bool = false) throws {
    guard device.sync == nil else { return }
    device.sync = DeviceSync(
      device.newSource(), at: now, acceptsShorterLog: acceptsShorterLog)
    story.tell(2, device.number, line: "device \(device.number) begins a sync")
    try noticeTime(device)
  }

  /// Does what is due by a device's clock that never steps.
  func noticeTime(_ device: SimulatedDevice) throws {
    // Looked at where it is: a copy of all that a sync knows would cost more than the look.
    if let deadline = device.sync?.session?.deadline {
      guard deadline <= now else { return }
      let outputs = device.sync?.session?.tick(at: now) ?? []
      try send(outputs, device)
    } else if let next = device.sync?.nextAttempt, next <= now {
      try connect(device)
    }
  }

  private func connect(_ device: SimulatedDevice) throws {
    guard var sync = device.sync else { return }
    counts.connections += 1
    guard let hub = server.hub, let id = hub.connect(at: elapsed) else {
      return try end(device, .failed(SyncError.notReached("nobody answers")))
    }
    let link = Link(id, run: server.run)
    links.append(link)
    do {
      var session = try SyncSession(
        storage: device.storage, options: sync.options, memory: sync.memory, clock: device.clock,
        random: sync.random, at: now)
      let outputs = session.start()
      sync.session = session
      sync.link = link
      device.sync = sync
      try send(outputs, device)
    } catch let failure as Failure {
      throw failure
    } catch {
      link.isLeftByDevice = true
      try end(device, .failed(error))
    }
  }

  /// Sends what a session gave out, and goes on where it has ended.
  private func send(_ outputs: [SyncSession.Output], _ device: SimulatedDevice) throws {
    for case .send(let bytes) in outputs {
      story.mix(bytes)
      device.sync?.link?.up += bytes
    }
    guard let outcome = device.sync?.session?.outcome else { return }
    if let session = device.sync?.session { device.sync?.take(session.memory) }
    let link = device.sync?.link
    link?.isLeftByDevice = true
    device.sync?.session = nil
    device.sync?.link = nil
    try end(device, outcome, link)
  }

  /// What follows from the end of a connection.
  private func end(
    _ device: SimulatedDevice, _ outcome: SyncSession.Outcome, _ link: Link? = nil
  ) throws {
    guard let sync = device.sync else { return }
    story.tell(3, device.number, line: "device \(device.number)'s connection ends: \(outcome)")
    switch outcome {
    case .finished: try finish(device, sync.memory.summary)
    case .again: try connect(device)
    case .failed(let error as SyncError):
      if error.isRetryable, let wait = device.sync?.backoff.next(random: sync.random) {
        device.sync?.nextAttempt = now + .milliseconds(max(wait, 1))
        return
      }
      device.sync = nil
      try check(error, link)
    case .failed(let error):
      device.sync = nil
      try recover(device, from: error)
    }
  }

  private func finish(_ device: SimulatedDevice, _ summary: SyncSummary) throws {
    device.sync = nil
    counts.syncs += 1
    if course.flaw == .marksWithoutABackup { try server.markWithoutABackup() }
    counts.refilled += summary.refilled
    if summary.rebuilt { counts.rebuilds += 1 }
    if summary.witness?.agrees == false {
      throw Failure(message: "device \(device.number) found another device's state to differ")
    }
    if !summary.atOdds.isEmpty, !summary.rebuilt, !wasSetBackUnawares {
      throw Failure(message: "device \(device.number) found a lying server where none is")
    }
    if summary.newDevice != nil { counts.identities += 1 }
    do {
      try device.store.write {
        try $0.recordSync(
          skewMilliseconds: summary.skewMilliseconds, nextTablesAt: summary.nextTables)
      }
    } catch {
      try recover(device, from: error)
    }
  }

  /// Refuses an end that no fault explains.
  private func check(_ error: SyncError, _ link: Link?) throws {
    switch error {
    case .violation where link?.isDoubled == true: return
    case .violation: break
    case .notReached, .connectionLost, .silent, .stalled, .gaveUp, .refused, .decisionNeeded,
      .tooManyDivergences, .notConverged, .identityContested:
      return
    default: break
    }
    throw Failure(message: "a sync ended with \(error)")
  }

  /// Goes on after an error of a device's storage, which a fault has to explain.
  func recover(_ device: SimulatedDevice, from error: any Error) throws {
    guard case StoreError.storage(let cause) = error else {
      throw Failure(message: "device \(device.number): \(error)")
    }
    story.tell(4, device.number, line: "device \(device.number)'s storage failed: \(cause)")
    dropLink(of: device)
    if random.one(in: 2) { try device.kill() } else { try device.reopen() }
    try adoptUnknown(device)
  }

  /// Leaves a device's connection where it is: bytes on their way may still arrive.
  func dropLink(of device: SimulatedDevice) {
    device.sync?.link?.isLeftByDevice = true
    device.sync = nil
  }

  // MARK: Bytes on their way

  /// Takes what the server has to send onto its way, and forgets connections that are over.
  func collect() {
    guard let hub = server.hub else { return }
    for link in links where link.run == server.run && !link.isLeftByServer {
      let output = hub.output(of: link.id)
      if !output.isEmpty {
        link.down += output
        hub.sent(output.count, on: link.id, at: elapsed)
        hub.advance(at: elapsed)
      }
      if hub.isFinished(link.id) {
        hub.forget(link.id)
        link.isLeftByServer = true
      }
    }
    links.removeAll { $0.isLeftByDevice && ($0.isLeftByServer || $0.isSilent) }
  }

  /// Lets some bytes of some connection arrive; false where none is on its way.
  func deliverSomething() throws -> Bool {
    var ways: [(Link, isUp: Bool)] = []
    for link in links where !link.isSilent {
      if !link.up.isEmpty || link.isLeftByDevice && !link.isLeftByServer {
        ways.append((link, true))
      }
      if !link.isLeftByDevice, !link.down.isEmpty || link.isLeftByServer {
        ways.append((link, false))
      }
    }
    guard !ways.isEmpty else { return false }
    let (link, isUp) = random.pick(ways)
    let waiting = isUp ? link.up.count : link.down.count
    let count = random.one(in: 3) ? random.int(0...waiting) : waiting
    if isUp { deliverUp(link, count) } else { try deliverDown(link, count) }
    return true
  }

  func deliverUp(_ link: Link, _ count: Int) {
    let bytes = link.up.prefix(count)
    link.up.removeFirst(count)
    guard let hub = server.hub, link.run == server.run, !link.isLeftByServer else {
      link.isLeftByServer = true
      link.up = []
      return collect()
    }
    story.mix(bytes)
    if !bytes.isEmpty { hub.receive(bytes, on: link.id, at: elapsed) }
    if link.isLeftByDevice, link.up.isEmpty { hub.endInput(of: link.id, at: elapsed) }
    hub.advance(at: elapsed)
    collect()
  }

  func deliverDown(_ link: Link, _ count: Int) throws {
    guard let device = devices.first(where: { $0.sync?.link === link }) else {
      link.isLeftByDevice = true
      return
    }
    let bytes = Array(link.down.prefix(count))
    link.down.removeFirst(count)
    if !bytes.isEmpty {
      device.willCommit()
      let outputs = device.sync?.session?.receive(bytes, at: now) ?? []
      try send(outputs, device)
    }
    if link.isLeftByServer, link.down.isEmpty, device.sync?.link === link {
      try lose(device, "closed")
    }
    collect()
  }

  /// Tells a device that its connection is over.
  func lose(_ device: SimulatedDevice, _ reason: String) throws {
    device.sync?.session?.end(.connectionLost(reason))
    try send([], device)
  }

  /// Lets everything arrive that is on its way, until nothing is.
  func settle() throws {
    for _ in 0..<10_000 {
      guard try deliverSomething() else { return }
    }
    throw Failure(message: "connections talk without end")
  }
}
