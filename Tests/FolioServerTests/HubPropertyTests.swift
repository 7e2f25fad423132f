import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioServer

/// Random clients on a hub whose storage fails now and then: nothing acknowledged is lost, nothing is
/// there twice, and everything stored obeys its rules.
struct HubPropertyTests {
  @Test(arguments: 0..<6)
  func whateverClientsDo(run: Int) throws {
    var random = SeededRandom("whateverClientsDo, run \(run)")
    let fixture = try HubFixture()
    var world = World(fixture: fixture)
    var step = 0
    // As long as it takes until much was acknowledged, too.
    while step < 400 || (world.acknowledged.count <= 20 && step < 4_000) {
      defer { step += 1 }
      try world.step(&random)
      if step % 50 == 49 {
        fixture.server.storage.setFaults(nil)
        let verification = try fixture.server.storage.read(VerifyStorage())
        #expect(verification.problems == [], "step \(step), seed \(random.seed)")
      }
    }
    fixture.server.storage.setFaults(nil)
    let log = try fixture.server.entries()
    let places = Dictionary(
      log.map { ($0.transaction.id.value, $0.seq) }, uniquingKeysWith: { first, _ in first })
    for (id, seq) in world.acknowledged { #expect(places[id] == seq, "seed \(random.seed)") }
    let accepted = log.filter { $0.kind == .accepted }.map(\.transaction.id)
    #expect(Set(accepted).count == accepted.count)
    #expect(world.acknowledged.count > 20, "the run acknowledged too little")
  }

  private struct World {
    let fixture: HubFixture
    var clients: [HubClient] = []
    /// Transaction ids with the seq that they were acknowledged at.
    var acknowledged: [UInt128: UInt64] = [:]

    mutating func step(_ random: inout SeededRandom) throws {
      fixture.server.storage.setFaults(random.one(in: 12) ? faults(&random) : nil)
      switch clients.isEmpty ? 0 : random.int(0...9) {
      case 0: connect(&random)
      case 1: if let client = clients.randomElement(using: &random) { leave(client, &random) }
      case 2: fixture.wait(.seconds(random.int(0...8)))
      case 3: if let client = clients.randomElement(using: &random) { say(client, &random) }
      default:
        for client in clients where random.one(in: 2) { try push(client, &random) }
      }
      fixture.server.advance(milliseconds: Int64(random.int(-1000...100_000)))
      fixture.hub.advance(at: fixture.now)
      for client in clients where !random.one(in: 5) { try take(client) }
      for client in clients where client.isFinished { fixture.hub.forget(client.id) }
      clients.removeAll { $0.isFinished }
    }

    private func faults(_ random: inout SeededRandom) -> MemoryServerStorage.Faults {
      let fault: StorageFault = random.one(in: 2) ? .lost : .keptUnacknowledged
      let failing: StorageMoment = random.pick([.commit, .put, .read])
      return { moment in moment == failing ? fault : nil }
    }

    private mutating func connect(_ random: inout SeededRandom) {
      let device = UInt128(random.int(1...4))
      if let client = try? fixture.connect() {
        _ = try? client.logIn(device: device, instance: UInt128(random.int(1...9)))
        clients.append(client)
      }
    }

    private func leave(_ client: HubClient, _ random: inout SeededRandom) {
      switch random.int(0...2) {
      case 0: client.hand(Message.bye.line)
      case 1: fixture.hub.endInput(of: client.id, at: fixture.now)
      default: fixture.hub.forget(client.id)
      }
    }

    /// A line that is cut, changed or out of place.
    private func say(_ client: HubClient, _ random: inout SeededRandom) {
      let request: Request = random.pick([
        .verify(seq: 1), .prices(PricesRequest()), .ping, .assets(AssetsRequest()),
      ])
      var line = Message.request(RequestID(UInt64(random.int(1...500))), request).line
      if random.one(in: 2) { line[random.int(0...line.count - 1)] = UInt8(random.int(0...255)) }
      client.hand(random.one(in: 4) ? Array(line.dropLast(5)) : line)
    }

    /// The next transactions of one of a few devices, or some that were pushed before.
    private mutating func push(_ client: HubClient, _ random: inout SeededRandom) throws {
      guard client.conversation.canSend else { return }
      let device = UInt128(random.int(1...4))
      let last = try fixture.facts(device: DeviceID(device)).acked?.sequence
      let first = max(1, Int(last ?? 0) + random.int(-2...1))
      let transactions = (first..<first + random.int(1...3)).map { sequence in
        // Now and then another device's id, which makes a void entry.
        let owner = random.one(in: 15) ? 1 : device
        return transaction(
          owner * 1_000_000 + UInt128(sequence), device: device, sequence: UInt64(sequence))
      }
      client.hand(client.conversation.send(.push(Push(transactions: transactions))).line)
    }

    private mutating func take(_ client: HubClient) throws {
      for event in try client.take() {
        guard case .reply(_, .push(let push), .ack(let ack)) = event else { continue }
        for (pushed, result) in zip(push.transactions, ack.results) {
          switch result {
          case .ok(let place), .duplicate(let place):
            acknowledged[pushed.transaction.id.value] = place.seq
          default: break
          }
        }
      }
    }
  }
}

extension HubFixture {
  /// What the storage has of a device, past all faults.
  fileprivate func facts(device: DeviceID) throws -> LogFacts.Answer {
    try server.storage.copied().read(LogFacts(account: "ann", device: device, points: []))
  }
}
