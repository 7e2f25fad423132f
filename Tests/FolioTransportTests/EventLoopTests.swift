import Dispatch
import FolioSystem
@testable import FolioTransport
import Glibc
import Synchronization
import Testing

@Suite struct EventLoopTests {
  @Test(arguments: PollerKind.allCases)
  func eachConnectionGetsItsOwnAnswers(kind: PollerKind) throws {
    let server = try LoopServer(kind)
    let clients = try (0..<20).map { _ in try server.connect() }
    for (index, client) in clients.enumerated() { try client.write("client \(index)") }
    for (index, client) in clients.enumerated().reversed() {
      let text = "client \(index)"
      #expect(try client.readExactly(text.utf8.count) == Array(text.utf8))
    }
    for client in clients { client.close() }
    for _ in clients { #expect(server.ends.next() == .closed) }
    server.stop()
  }

  @Test(arguments: PollerKind.allCases)
  func fiftyMegabytesGoThroughAnEcho(kind: PollerKind) throws {
    let server = try LoopServer(kind)
    let client = try server.connect()
    let bytes = [UInt8](repeating: 0xa5, count: 50 << 20)
    let isRight = try client.exchangeAll(bytes) == bytes
    #expect(isRight)
    #expect(server.ends.next() == .closed)
    server.stop()
  }

  @Test func aPeerThatHasEndedItsSendingStillGetsItsAnswers() throws {
    let server = try LoopServer(
      behaviour: TestBehaviour(inputEnded: { connection in
        connection.send([UInt8](repeating: 7, count: 5 << 20))
        connection.close()
      }))
    let client = try server.connect()
    client.finishSending()
    #expect(try client.readToEnd().count == 5 << 20)
    #expect(server.ends.next() == .closed)
    server.stop()
  }

  @Test func theLastWordsReachAPeerThatStillSends() throws {
    let server = try LoopServer(
      behaviour: TestBehaviour(received: { _, connection in
        connection.send(Array("no".utf8))
        connection.close()
      }))
    let client = try server.connect()
    // More than what was read before closing: closing on it at once would undo the answer.
    let received = try client.exchangeAll([UInt8](repeating: 1, count: 4 << 20), finishing: false)
    #expect(received == Array("no".utf8))
    client.close()
    #expect(server.ends.next() == .closed)
    server.stop()
  }

  @Test func aPeerThatNeverClosesIsWaitedForOnlySoLong() throws {
    var limits = EventLoop.Limits()
    limits.linger = .milliseconds(50)
    let server = try LoopServer(
      limits: limits, behaviour: TestBehaviour(received: { $1.close() }))
    let client = try server.connect()
    try client.write("x")
    #expect(server.ends.next() == .closed)
    client.close()
    server.stop()
  }

  @Test(arguments: PollerKind.allCases)
  func aReaderThatDoesNotReadIsCutAtTheLimit(kind: PollerKind) throws {
    var limits = EventLoop.Limits()
    limits.outputByteCountMax = 1 << 20
    let server = try LoopServer(
      kind, limits: limits,
      behaviour: TestBehaviour(received: { _, connection in
        for _ in 0..<64 { connection.send([UInt8](repeating: 1, count: 1 << 18)) }
      }))
    let client = try server.connect()
    try client.write("x")
    #expect(server.ends.next() == .slowReader)
    server.stop()
    client.close()
  }

  @Test(arguments: PollerKind.allCases)
  func aReaderThatStopsReadingIsCutInTime(kind: PollerKind) throws {
    var limits = EventLoop.Limits()
    limits.outputStall = .milliseconds(100)
    let server = try LoopServer(
      kind, limits: limits,
      behaviour: TestBehaviour(received: { _, connection in
        connection.send([UInt8](repeating: 1, count: 8 << 20))
      }))
    let client = try server.connect()
    try client.write("x")
    #expect(server.ends.next() == .slowReader)
    server.stop()
    client.close()
  }

  @Test(arguments: PollerKind.allCases)
  func whoeverDoesNotReadIsNotReadFromEither(kind: PollerKind) throws {
    var limits = EventLoop.Limits()
    limits.congestionByteCount = 1 << 18
    limits.outputByteCountMax = 1 << 20
    let counts = Counts()
    let server = try LoopServer(
      kind, limits: limits,
      behaviour: TestBehaviour(
        received: { bytes, connection in
          counts.received.add(bytes.count, ordering: .relaxed)
          connection.send(bytes)
        },
        drained: { _ in counts.drained.add(1, ordering: .relaxed) }))
    let client = try server.connect()
    let much = [UInt8](repeating: 3, count: 32 << 20)
    // Nothing is read, so that writing stops: the server has stopped reading, and is not full.
    #expect(throws: TransportError.timedOut) { try client.writeAll(much, until: after(300)) }
    let held = counts.received.load(ordering: .relaxed)
    #expect(held < 20 << 20)
    client.finishSending()
    let echoed = try client.readToEnd().count
    #expect(echoed >= held)
    #expect(counts.received.load(ordering: .relaxed) == echoed)
    #expect(counts.drained.load(ordering: .relaxed) > 0)
    #expect(server.ends.next() == .closed)
    server.stop()
  }

  @Test(arguments: PollerKind.allCases)
  func aPeerThatSaysNothingMeetsTheDeadline(kind: PollerKind) throws {
    let server = try LoopServer(
      kind,
      behaviour: TestBehaviour(opened: { connection in
        connection.deadline = clock.now() + .milliseconds(50)
      }))
    let start = clock.now()
    let client = try server.connect()
    #expect(server.ends.next() == .deadline)
    #expect(clock.now() - start >= .milliseconds(50))
    #expect(throws: Never.self) { try client.readToEnd() }
    server.stop()
  }

  @Test func aDeadlineThatIsMovedDoesNotPassAtItsOldMoment() throws {
    let server = try LoopServer(
      behaviour: TestBehaviour(
        received: { _, connection in connection.deadline = clock.now() + .milliseconds(800) },
        opened: { connection in connection.deadline = clock.now() + .milliseconds(800) }))
    let client = try server.connect()
    let start = clock.now()
    for _ in 0..<5 {
      try client.write("x")
      callSleep(milliseconds: 200)
    }
    #expect(server.ends.next() == .deadline)
    #expect(clock.now() - start >= .milliseconds(1_500))
    server.stop()
  }

  @Test func aPausedConnectionIsNotRead() throws {
    let server = try LoopServer(
      behaviour: TestBehaviour(
        deadlinePassed: { connection in
          connection.send(Array("on ".utf8))
          connection.resumeReading()
        },
        opened: { connection in
          connection.pauseReading()
          connection.deadline = clock.now() + .milliseconds(50)
        }))
    let client = try server.connect()
    try client.write("x")
    #expect(try client.readExactly(4) == Array("on x".utf8))
    client.close()
    server.stop()
  }

  @Test(arguments: PollerKind.allCases)
  func aPeerThatBreaksOffIsNoticed(kind: PollerKind) throws {
    let server = try LoopServer(kind)
    let client = try server.connect()
    try client.write("x")
    _ = try client.readExactly(1)
    // Unread bytes make closing a reset.
    try client.write("y")
    while try client.readChunk(until: after(50)) != nil { break }
    client.close()
    #expect([.closed, .reset].contains(server.ends.next()))
    server.stop()
  }

  @Test func whatIsLeftEndsWithTheLoop() throws {
    let server = try LoopServer()
    let client = try server.connect()
    try client.write("x")
    _ = try client.readExactly(1)
    server.stop()
    #expect(server.ends.next() == .stopped)
    #expect(throws: Never.self) { try client.readToEnd() }
  }

  @Test func withoutListenersTheLoopEndsWithItsLastConnection() throws {
    let loop = try EventLoop()
    let notes = EndNotes()
    let client = try loop.servePair { _ in TestHandler(TestBehaviour(), notes) }
    let thread = SystemThread {
      try? client.write("last")
      client.finishSending()
      #expect((try? client.readToEnd()) == Array("last".utf8))
    }
    try loop.run()
    thread.join()
    #expect(notes.next() == .closed)
  }

  @Test func aLoopThatHasEndedHoldsNothing() throws {
    weak var remains: EventLoop?
    do {
      let loop = try EventLoop()
      try loop.listen(on: LoopbackAddress(port: 0)) { [loop] _ in
        loop.stop()
        return nil
      }
      loop.turnEnded = { loop.stop() }
      loop.setTimer(at: .distantFuture) { loop.stop() }
      try loop.run()
      remains = loop
    }
    #expect(remains == nil)
  }

  @Test func manyConnectionsShareOneEndOfTurn() throws {
    // What stands between the first byte read and the first byte sent is one call, for all of them.
    let loop = try EventLoop()
    let notes = EndNotes()
    let log = Mutex<[String]>([])
    let behaviour = TestBehaviour(received: { bytes, connection in
      log.withLock { $0.append("received") }
      connection.send(bytes)
      connection.close()
    })
    let clients = try (0..<3).map { _ in
      let client = try loop.servePair { _ in TestHandler(behaviour, notes) }
      try client.write("x")
      return client
    }
    loop.turnEnded = { log.withLock { $0.append("turn") } }
    let thread = SystemThread {
      for client in clients { _ = try? client.readToEnd(); client.close() }
    }
    try loop.run()
    thread.join()
    let order = log.withLock { $0 }.drop { $0 == "turn" }
    #expect(order.prefix(4) == ["received", "received", "received", "turn"])
  }

  @Test func whoComesWhileOthersAreReadSharesTheirEndOfTurn() throws {
    let loop = try EventLoop()
    let notes = EndNotes()
    let log = Mutex<[String]>([])
    let late = try loop.servePair { _ in
      TestHandler(
        TestBehaviour(received: { _, connection in
          log.withLock { $0.append("late") }
          connection.close()
        }), notes)
    }
    let early = try loop.servePair { _ in
      TestHandler(
        TestBehaviour(received: { _, connection in
          log.withLock { $0.append("early") }
          _ = try? late.write("x")
          connection.close()
        }), notes)
    }
    try early.write("x")
    loop.turnEnded = { log.withLock { $0.append("turn") } }
    let thread = SystemThread {
      for client in [early, late] { _ = try? client.readToEnd(); client.close() }
    }
    try loop.run()
    thread.join()
    let order = log.withLock { $0 }.drop { $0 == "turn" }
    #expect(order.prefix(3) == ["early", "late", "turn"])
  }

  @Test func aConnectionIsReadOnceATurn() throws {
    var limits = EventLoop.Limits()
    limits.readByteCount = 1
    let loop = try EventLoop(limits: limits)
    let log = Mutex<[String]>([])
    let client = try loop.servePair { _ in
      TestHandler(
        TestBehaviour(received: { bytes, connection in
          log.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
          if bytes == Array("z".utf8) { connection.close() }
        }), EndNotes())
    }
    try client.write("xyz")
    loop.turnEnded = { log.withLock { $0.append("turn") } }
    let thread = SystemThread {
      _ = try? client.readToEnd()
      client.close()
    }
    try loop.run()
    thread.join()
    let order = log.withLock { $0 }.drop { $0 == "turn" }
    #expect(order.prefix(6) == ["x", "turn", "y", "turn", "z", "turn"])
  }
}

private final class Counts: Sendable {
  let received = Atomic(0)
  let drained = Atomic(0)
}
