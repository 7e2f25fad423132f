import FolioDomain
import FolioWire
import Testing

@testable import FolioServer

/// Several connections, and what ends them.
struct ConnectionTests {
  @Test func pushesOfOneRoundAreCommittedTogether() throws {
    let fixture = try HubFixture()
    let clients = try (1...8).map { try fixture.logIn(device: UInt128($0)) }
    let commits = Counter()
    fixture.server.storage.setFaults { moment in
      if moment == .commit { commits.increment() }
      return nil
    }
    for (index, client) in clients.enumerated() {
      let push = Push(transactions: [
        transaction(UInt128(100 + index), device: UInt128(index + 1), sequence: 1)
      ])
      client.hand(client.conversation.send(.push(push)).line)
    }
    fixture.hub.advance(at: fixture.now)
    #expect(commits.value == 1)
    let seqs = try clients.map { client -> UInt64? in
      guard case .reply(_, _, .ack(let ack))? = try client.take().first else { return nil }
      return ack.results.first?.place?.seq
    }
    #expect(seqs == Array(1...8))
  }

  @Test func pushesOfSeveralAccountsAreCommittedTogether() throws {
    let names = (0..<16).map { "account-\($0)" }
    let fixture = try HubFixture(accounts: names)
    let clients = try names.map { try fixture.logIn($0) }
    let commits = Counter()
    fixture.server.storage.setFaults { moment in
      if moment == .commit { commits.increment() }
      return nil
    }
    for (index, client) in clients.enumerated() {
      let push = Push(transactions: [transaction(UInt128(100 + index), sequence: 1)])
      client.hand(client.conversation.send(.push(push)).line)
    }
    fixture.hub.advance(at: fixture.now)
    #expect(commits.value == 1)
    for (name, client) in zip(names, clients) {
      guard case .reply(_, _, .ack(let ack))? = try client.take().first else {
        Issue.record("no acknowledgement")
        return
      }
      #expect(ack.head == (try fixture.server.account(name).head))
      #expect(ack.head.seq == 1)
    }
  }

  @Test func oneFailingRequestDoesNotTakeTheOthersWithIt() throws {
    let fixture = try HubFixture()
    let clients = try (1...3).map { try fixture.logIn(device: UInt128($0)) }
    let puts = Counter()
    // The third put of the first attempt fails; each request is then tried by itself.
    fixture.server.storage.setFaults { moment in
      guard moment == .put else { return nil }
      puts.increment()
      return puts.value == 3 ? .lost : nil
    }
    for (index, client) in clients.enumerated() {
      let push = Push(transactions: [
        transaction(UInt128(index + 1), device: UInt128(index + 1), sequence: 1)
      ])
      client.hand(client.conversation.send(.push(push)).line)
    }
    fixture.hub.advance(at: fixture.now)
    #expect(try fixture.server.account().head.seq == 3)
    for client in clients {
      guard case .reply(_, _, .ack)? = try client.take().first else {
        Issue.record("no acknowledgement")
        return
      }
    }
  }

  @Test(arguments: [StorageFault.lost, .keptUnacknowledged])
  func aFailedCommitAnswersNothing(fault: StorageFault) throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let idle = try fixture.logIn(device: 2)
    fixture.server.storage.setFaults { $0 == .commit ? fault : nil }
    let line = client.conversation.send(.push(Push(transactions: [transaction(1, sequence: 1)])))
      .line
    let events = try client.send(line)
    fixture.server.storage.setFaults(nil)
    // The connection ends with an error that answers no request.
    #expect(events == [.failed(.refused(.storageFailed))])
    #expect(client.isFinished && !idle.isFinished)
    let again = try fixture.logIn()
    #expect(try again.push(transaction(1, sequence: 1)).head.seq == 1)
  }

  /// Holds [hand-8].
  @Test func aNewConnectionOfADeviceDisplacesTheOld() throws {
    let fixture = try HubFixture()
    let old = try fixture.logIn(device: 1, instance: 1)
    let other = try fixture.logIn(device: 2)
    let stranger = try fixture.logIn("bob", device: 1)
    let new = try fixture.logIn(device: 1, instance: 2)
    #expect(try old.take() == [.failed(.refused(.displaced))])
    #expect(old.isFinished)
    #expect(!new.isFinished && !other.isFinished && !stranger.isFinished)
    #expect(try new.push(transaction(1, sequence: 1)).head.seq == 1)
    // What the old one still sends is not taken.
    old.hand(
      Message.request(RequestID(9), .push(Push(transactions: [transaction(2, sequence: 2)]))).line)
    fixture.hub.advance(at: fixture.now)
    #expect(try fixture.server.account().head.seq == 1)
    // Its end does not end the new one.
    fixture.hub.forget(old.id)
    #expect(try new.push(transaction(2, sequence: 2)).head.seq == 2)
    let newest = try fixture.logIn(device: 1)
    #expect(try new.take() == [.failed(.refused(.displaced))])
    #expect(!newest.isFinished)
    #expect(fixture.log.events.filter { $0 == "displaced" }.count == 2)
  }

  /// Two stores with one device id: the one that comes second finds its sequence taken.
  @Test func aCopiedStoreFindsOutByWhatIsAcked() throws {
    let fixture = try HubFixture()
    let first = try fixture.logIn(device: 1, instance: 1)
    _ = try first.push(transaction(1, sequence: 1))
    let copy = try fixture.connect()
    let ready = try copy.logIn(device: 1, instance: 2)
    #expect(ready.acked == AckedTransaction(sequence: 1, id: TransactionID(1)))
    #expect(try copy.push(transaction(99, sequence: 1)).results == [.forked])
  }

  /// Holds [hand-9].
  @Test func loginHasLimits() throws {
    let fixture = try HubFixture()
    let slow = try fixture.connect()
    _ = try slow.greet()
    fixture.wait(.seconds(4))
    #expect(!slow.isFinished)
    fixture.wait(.seconds(2))
    _ = try slow.take()
    #expect(slow.isFinished)

    let long = try fixture.connect()
    _ = try long.send([UInt8](repeating: 0x20, count: 4097))
    #expect(long.isFinished)
    #expect(String(decoding: long.received, as: UTF8.self).contains("line_too_long"))

    let empty = try fixture.connect()
    _ = try empty.send([UInt8](repeating: 0x0A, count: 8196))
    #expect(!empty.isFinished)
    _ = try empty.send([0x0A])
    #expect(empty.isFinished)
    #expect(String(decoding: empty.received, as: UTF8.self).contains("login_too_long"))
  }

  @Test func aTricklingConnectionIsGivenUp() throws {
    let fixture = try HubFixture()
    let client = try fixture.connect()
    for _ in 0..<8 {
      client.hand([0x20])
      fixture.wait(.seconds(1))
    }
    _ = try client.take()
    #expect(client.isFinished)
  }

  @Test func silenceIsPingedAndThenGivenUp() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    fixture.wait(.seconds(21))
    let events = try client.take()
    guard case .send(let pong)? = events.first else {
      Issue.record("\(events)")
      return
    }
    _ = try client.send(pong)
    fixture.wait(.seconds(21))
    #expect(try client.take().count == 1)
    fixture.wait(.seconds(25))
    #expect(client.isFinished)
  }

  @Test func connectionsAreBounded() throws {
    var limits = HubLimits()
    limits.connections = 2
    let fixture = try HubFixture(limits: limits)
    let first = try fixture.connect()
    _ = try fixture.connect()
    #expect(throws: HubClientError.self) { try fixture.connect() }
    fixture.hub.forget(first.id)
    _ = try fixture.connect()
  }

  /// Two lines as long as they may be are a handshake, however they are cut [hand-9] [line-4].
  @Test func theLongestHandshakeIsTaken() throws {
    let fixture = try HubFixture()
    let client = try fixture.connect()
    func padded(_ line: [UInt8]) -> [UInt8] {
      let content = line.dropLast()
      return content + [UInt8](repeating: 0x20, count: 4096 - content.count) + [0x0D, 0x0A]
    }
    for byte in padded(client.conversation.start()).dropLast() { client.hand([byte]) }
    guard case .welcome? = try client.send([0x0A]).first else {
      Issue.record("no welcome")
      return
    }
    let line = client.conversation.authenticate(
      Authentication(
        account: "ann", device: DeviceIdentity(id: DeviceID(1), instance: InstanceID(1))))
    for byte in padded(line).dropLast() { _ = try client.send([byte]) }
    guard case .ready? = try client.send([0x0A]).first else {
      Issue.record("not ready")
      return
    }
  }

  /// A line that never ends is cut off, though bytes of it keep coming [conv-13].
  @Test func aLineThatDoesNotEndIsCutOff() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    for _ in 0..<11 {
      client.hand([0x20])
      fixture.wait(.seconds(10))
    }
    #expect(try client.take() == [])
    client.hand([0x20])
    fixture.wait(.seconds(11))
    client.hand([0x20])
    fixture.wait(.seconds(11))
    #expect(try client.take() == [.failed(.refused(.tooSlow))])
  }

  /// Holds [conv-13].
  @Test func aClientThatDoesNotReadIsNotServedFurtherAndThenCut() throws {
    var limits = HubLimits()
    limits.waitingOutput = 100_000
    let fixture = try HubFixture(limits: limits)
    let client = try fixture.logIn()
    let body = #"{"a":"\#(String(repeating: "x", count: 60_000))"}"#
    for n in 1...8 { _ = try client.push(transaction(UInt128(n), sequence: UInt64(n), body: body)) }
    let start = LogPosition(seq: 0, hash: startHash(of: try fixture.server.account().id))
    let pull = Request.pull(Pull(after: start, maxEntries: 1, maxBytes: 1))
    for _ in 0..<10 { client.hand(client.conversation.send(pull).line) }
    fixture.hub.advance(at: fixture.now)
    #expect(fixture.hub.output(of: client.id).count < 200_000)
    #expect(!fixture.hub.wantsInput(of: client.id))
    // Once it reads, the rest is answered.
    var replies = 0
    for _ in 0..<10 {
      replies += try client.take().count
      fixture.hub.advance(at: fixture.now)
    }
    #expect(replies == 10 && fixture.hub.wantsInput(of: client.id))
    for _ in 0..<10 { client.hand(client.conversation.send(pull).line) }
    fixture.hub.advance(at: fixture.now)
    fixture.wait(.seconds(15))
    #expect(!fixture.log.events.contains("cut_off"))
    fixture.wait(.seconds(16))
    #expect(fixture.log.events.contains("cut_off"))
    fixture.wait(.seconds(6))
    #expect(client.isFinished)
  }

  @Test func aDisabledAccountIsCutAtOnce() throws {
    let fixture = try HubFixture()
    let asking = try fixture.logIn(device: 1)
    let idle = try fixture.logIn(device: 2)
    let other = try fixture.logIn("bob")
    _ = try fixture.server.storage.write(SetAccountDisabled("ann", true))
    #expect(
      try asking.refusal(of: .push(Push(transactions: [transaction(1, sequence: 1)])))
        == .accountUnknown)
    fixture.wait(.seconds(2))
    #expect(try idle.take() == [.failed(.refused(.accountUnknown))])
    #expect(asking.isFinished && idle.isFinished && !other.isFinished)
  }

  @Test func byeIsAnsweredToTheEndAndThenCloses() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let push = client.conversation.send(.push(Push(transactions: [transaction(1, sequence: 1)])))
    let events = try client.send(push.line + client.conversation.bye())
    guard case .reply(_, _, .ack)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(client.isFinished)
  }

  @Test func anEndWithinALineIsAnErrorAndNoMessage() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let push = client.conversation.send(.push(Push(transactions: [transaction(1, sequence: 1)])))
    client.hand(push.line.dropLast())
    fixture.hub.endInput(of: client.id, at: fixture.now)
    fixture.hub.advance(at: fixture.now)
    #expect(try fixture.server.account().head.seq == 0)
    _ = try client.take()
    #expect(String(decoding: client.received, as: UTF8.self).contains("unterminated_line"))
    #expect(client.isFinished)
  }

  @Test func anEndBetweenLinesCloses() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let push = client.conversation.send(.push(Push(transactions: [transaction(1, sequence: 1)])))
    client.hand(push.line)
    fixture.hub.endInput(of: client.id, at: fixture.now)
    fixture.hub.advance(at: fixture.now)
    #expect(try client.take().count == 1)
    #expect(client.isFinished)
  }

  @Test func drainingAnswersWhatHasArrivedAndSaysGoodbye() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let greeted = try fixture.connect()
    _ = try greeted.greet()
    client.hand(
      client.conversation.send(.push(Push(transactions: [transaction(1, sequence: 1)]))).line)
    fixture.hub.drain(at: fixture.now)
    let events = try client.take()
    #expect(events.count == 2 && events.last == .bye)
    #expect(try greeted.take() == [.failed(.refused(.shuttingDown))])
    #expect(client.isFinished && greeted.isFinished)
    #expect(throws: HubClientError.self) { try fixture.connect() }
  }

  @Test func everySplitOfTheBytesGivesTheSameAnswers() throws {
    func answers(cutEvery size: Int) throws -> [UInt8] {
      let fixture = try HubFixture()
      let client = try fixture.logIn()
      let push = client.conversation.send(
        .push(Push(transactions: [transaction(1, sequence: 1), transaction(2, sequence: 2)])))
      let verify = client.conversation.send(.verify(seq: 0))
      var rest = (push.line + verify.line)[...]
      while !rest.isEmpty {
        client.hand(Array(rest.prefix(size)))
        fixture.hub.advance(at: fixture.now)
        rest = rest.dropFirst(size)
      }
      _ = try client.take()
      return client.received
    }
    let whole = try answers(cutEvery: 1 << 20)
    for size in [1, 2, 7, 64] { #expect(try answers(cutEvery: size) == whole) }
  }

  @Test func logLinesCarryNoPayload() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let secret = "quite-secret"
    _ = try client.push(transaction(1, sequence: 1, body: #"{"a":"\#(secret)"}"#))
    _ = try client.send(
      Array(#"{"id":77,"type":"push","transactions":[{"\#(secret)":1}]}"#.utf8) + [10])
    _ = try client.send(Array("{\"\(secret)\n".utf8))
    let lines = fixture.log.lines.map {
      String(decoding: $0.bytes(at: fixture.server.now), as: UTF8.self)
    }
    #expect(lines.count >= 3)
    #expect(lines.allSatisfy { $0.hasSuffix("\n") && !$0.contains(secret) })
  }
}

import Synchronization

private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func increment() { count.withLock { $0 += 1 } }
}
