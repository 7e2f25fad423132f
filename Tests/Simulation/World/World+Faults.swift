import FolioDomain
import FolioServer
import FolioStore
import LMDB
import TestSupport

extension World {
  // MARK: Connections

  /// Breaks a connection at some byte, for one side or for both.
  func breakConnection() throws {
    let open = links.filter { !$0.isSilent && !$0.isLeftByDevice }
    guard let link = open.randomElement(using: &random) else { return }
    counts.faults += 1
    // What arrives before it breaks is any part of what is on its way.
    if random.one(in: 2) { deliverUp(link, random.int(0...link.up.count)) }
    if random.one(in: 2), !link.isLeftByDevice {
      try deliverDown(link, random.int(0...link.down.count))
    }
    let kind = random.int(0...4)
    story.tell(6, kind, line: "connection \(link.id.value) breaks (\(kind))")
    guard let device = devices.first(where: { $0.sync?.link === link }) else { return }
    switch kind {
    case 0:
      // Reset on both sides: nothing more arrives.
      forget(link)
      try lose(device, "reset")
    case 1:
      // The server does not notice, and gets the rest late.
      try lose(device, "reset")
    case 2:
      // The device does not notice.
      forget(link)
      link.isLeftByServer = false
      link.isSilent = true
    case 3: link.isSilent = true
    default: double(link)
    }
  }

  /// The server sees the end of a connection, and nothing more of it.
  private func forget(_ link: Link) {
    link.up = []
    link.down = []
    link.isLeftByServer = true
    if link.run == server.run { server.hub?.forget(link.id) }
  }

  /// The last whole line on its way up arrives twice.
  private func double(_ link: Link) {
    guard link.up.last == 0x0A else { return }
    let start = link.up.dropLast().lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    link.up += link.up[start...]
    link.isDoubled = true
  }

  // MARK: Devices

  func troubleDevice(_ device: SimulatedDevice) throws {
    counts.faults += 1
    let kind = random.int(0...6)
    story.tell(7, kind, device.number, line: "trouble \(kind) of device \(device.number)")
    switch kind {
    case 0...1:
      // The system closes its connections, unless it was the power that failed.
      if random.one(in: 2) { device.sync?.link?.isSilent = true }
      dropLink(of: device)
      try device.kill()
      try adoptUnknown(device)
    case 2...3:
      let step = random.pick([StorageStep.begin, .put, .delete, .commit, .acknowledge, .read])
      device.failSoon(step, after: random.int(0...12))
    case 4:
      guard devices.count < 6 else { return }
      // A device that has read nothing cannot know that an account made anew is not its own.
      let isFresh = try random.one(in: 3) && server.head.seq > 0
      try addDevice(copying: isFresh ? nil : device)
    default: try rollBack(device)
    }
  }

  /// A device's disk is set back to what it was some time ago, or that is remembered for later.
  ///
  /// Never where the device is the only one that holds something: that would be its owner's loss.
  private func rollBack(_ device: SimulatedDevice) throws {
    // A device that has read nothing cannot know that an account made anew is not its own.
    if try server.head.seq == 0 { return }
    let status = try device.status()
    let isHeldElsewhere = try devices.contains { other in
      guard other !== device, let position = status.position else { return false }
      return try other.holds(position)
    }
    guard device.hasOlderDisk, isHeldElsewhere, status.outbox.count == 0 else {
      return device.rememberDisk()
    }
    dropLink(of: device)
    try device.rollBack()
    try adoptUnknown(device)
    story.tell(12, device.number, line: "device \(device.number) is what it was before")
  }

  func troubleClocks(_ device: SimulatedDevice) throws {
    counts.faults += 1
    if random.one(in: 4) {
      serverSkew = Int64(random.int(-3_000...3_000)) * 1_000
    } else {
      device.skew = randomSkew()
    }
    setClocks()
  }

  // MARK: The server

  func troubleServer() throws {
    counts.faults += 1
    let kind = random.int(0...7)
    story.tell(8, kind, line: "trouble \(kind) of the server")
    switch kind {
    case 0: try restartServer()
    case 1:
      let moment = random.pick([StorageMoment.read, .put, .commit])
      let fault = random.pick([StorageFault.lost, .keptUnacknowledged])
      server.failSoon(fault, at: moment, after: random.int(0...20))
    case 2...4: try backUp()
    default: try loseServer()
    }
  }

  private func restartServer() throws {
    server.kill()
    try leaveServer()
    if random.one(in: 2) {
      // It is away for a while.
      try advance(Int64(random.int(1...30_000)))
    }
    try server.start()
  }

  /// What a server's end means for its connections: some notice, some do not.
  private func leaveServer() throws {
    for link in links {
      link.isLeftByServer = true
      link.up = []
      if random.one(in: 2) { link.down = Array(link.down.prefix(random.int(0...link.down.count))) }
      if random.one(in: 3) {
        link.isLeftByServer = false
        link.isSilent = true
      }
    }
  }

  private func backUp() throws {
    server.stopFaults()
    try server.backUp(marks: random.one(in: 2))
  }

  /// The server loses what came after a backup, or everything.
  ///
  /// Never what it has told to be safe: that would be the operator's loss.
  private func loseServer() throws {
    server.stopFaults()
    let haveAllRead = try devices.allSatisfy { try $0.status().position?.seq ?? 0 > 0 }
    if server.greatestMark == 0, random.one(in: 2) {
      // A device that has read nothing cannot know that an account made anew is not its own.
      guard haveAllRead else { return }
      try server.empty()
      story.tell(9, line: "the server is emptied")
    } else if server.soundBackupCount > 0 {
      let index = random.int(0...server.soundBackupCount - 1)
      let startsAnew = !random.one(in: 4)
      if !startsAnew { wasSetBackUnawares = true }
      try server.restore(index, startsAnew: startsAnew)
      let seq = try server.head.seq
      story.tell(10, index, line: "the server is back at \(seq)")
    } else {
      return
    }
    try leaveServer()
  }
}
