import FolioDomain
import FolioGateway
import FolioStore

extension World {
  /// The most rounds of syncs after which everything is at rest.
  static let roundsMax = 6

  /// Faults stop; then every device syncs, in rounds, until nothing is left to do.
  func rest() throws {
    story.tell(11, line: "faults stop")
    for device in devices {
      device.stopFaults()
      try reviveIfBroken(device)
    }
    server.stopFaults()
    if server.hub == nil { try server.start() }
    // Whatever is under way ends by itself, and a day passes: how often logs may part is counted
    // by the day.
    for _ in 0..<5 {
      try settle()
      try advance(61_000)
    }
    try advance(25 * Self.hour)
    for round in 1...Self.roundsMax {
      counts.rounds = round
      for device in devices { try syncToTheEnd(device) }
      if try isAtRest() { return }
    }
    throw Failure(message: "no rest after \(Self.roundsMax) rounds: \(try standing())")
  }

  private func reviveIfBroken(_ device: SimulatedDevice) throws {
    do {
      _ = try device.status()
    } catch {
      try recover(device, from: error)
    }
  }

  private func syncToTheEnd(_ device: SimulatedDevice) throws {
    let before = counts.syncs
    try beginSync(device)
    try carry(device)
    if counts.syncs > before { return }
    // A person is asked, and says yes: nothing may be lost by that.
    try beginSync(device, acceptsShorterLog: true)
    try carry(device)
    if counts.syncs == before {
      throw Failure(message: "device \(device.number) does not sync: \(try standing())")
    }
  }

  private func carry(_ device: SimulatedDevice) throws {
    for _ in 0..<600 {
      guard device.sync != nil else { return }
      try settle()
      if device.sync != nil { try advance(500) }
    }
    throw Failure(message: "device \(device.number)'s sync has no end")
  }

  private func isAtRest() throws -> Bool {
    let head = try server.head
    return try devices.allSatisfy { device in
      let status = try device.status()
      return status.outbox.count == 0 && status.rebuildPosition == nil
        && (status.position == head || head.seq == 0)
    }
  }

  /// Where everybody stands, for a failure's message.
  func standing() throws -> String {
    let devices = try devices.map { device in
      let status = try device.status()
      return "\(device.number) at \(status.position?.seq ?? 0) with \(status.outbox.count) pending"
    }
    return "server at \(try server.head.seq); " + devices.joined(separator: "; ")
  }
}
