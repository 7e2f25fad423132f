import FolioDomain
import FolioSystem
import FolioTransport
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// Whole syncs over connections that end, are silent, or never come about.
@Suite("The driver")
struct DriverTests {
  let server = FakeServer()
  let storage = MemoryStorage(device: 1)
  let clock = JumpingClock()
  let wall = ManualClock(Timestamp(milliseconds: 1_700_000_000_000))
  var options = SyncOptions(account: "me")

  init() {
    for id in 1...20 as ClosedRange<UInt128> { storage.edit("{}", id: id) }
    for sequence in 1...20 as ClosedRange<UInt64> {
      server.append(device: 9, sequence: sequence, id: UInt128(100 + sequence))
    }
  }

  private func driver(_ connect: @escaping () throws -> MemoryConnection) -> SyncDriver {
    var driver = SyncDriver(
      storage: storage, options: options, clock: wall, monotonic: clock,
      random: SeededSource(seed: 3), connect: connect)
    driver.pause = { clock.jump(to: clock.now() + $0) }
    return driver
  }

  @Test("One good connection is enough, however its bytes are cut", arguments: [1, 7, 1 << 20])
  func good(chunk: Int) throws {
    var driver = driver {
      let connection = MemoryConnection(server, clock)
      connection.chunk = chunk
      return connection
    }
    let summary = try driver.run()
    #expect(summary.pushed == 20)
    #expect(summary.pulled == 20)
    #expect(storage.log == server.log)
  }

  @Test("F22 Connections that drop early, each time: the sync gets there all the same")
  func drops() throws {
    var count = 0
    var driver = driver {
      count += 1
      let connection = MemoryConnection(server, clock)
      connection.bytesUntilReset = 3_500
      return connection
    }
    let summary = try driver.run()
    #expect(summary.pushed == 20)
    #expect(storage.log == server.log)
    #expect(count > 3)
  }

  @Test("F18 A half-open connection is given up after 45 s, and a new one made")
  func halfOpen() throws {
    var count = 0
    var driver = driver {
      count += 1
      let connection = MemoryConnection(server, clock)
      connection.isHalfOpen = count == 1
      return connection
    }
    let summary = try driver.run()
    #expect(summary.pushed == 20)
    #expect(count == 2)
    #expect(clock.seconds >= 45)
    #expect(clock.seconds < 60)
  }

  @Test("F18 A server that falls silent in the middle is pinged, and then given up")
  func silentInTheMiddle() throws {
    var connections: [MemoryConnection] = []
    var driver = driver {
      connections.append(MemoryConnection(server, clock))
      return connections[connections.count - 1]
    }
    server.refusal = { request in
      if case .push = request, connections.count == 1 {
        connections[0].isHalfOpen = true
      }
      return nil
    }
    let summary = try driver.run()
    #expect(summary.pushed == 20)
    #expect(storage.log == server.log)
    #expect(clock.seconds >= 45)
  }

  @Test("F19 Where nobody listens the sync fails with that, after a bounded number of attempts")
  func nobody() {
    var count = 0
    var driver = driver {
      count += 1
      throw TransportError.refused(address: "127.0.0.1:1")
    }
    let error = #expect(throws: SyncError.self) { try driver.run() }
    #expect(error?.kind == .unreachable)
    #expect(error?.code == "serverNotReached")
    #expect(count == 3)
    #expect(storage.pendingTransactions.count == 20)
  }

  @Test("F13 Attempts that get nowhere end; those that get somewhere do not count")
  func getsNowhere() {
    var count = 0
    var driver = driver {
      count += 1
      let connection = MemoryConnection(server, clock)
      connection.bytesUntilReset = 700
      return connection
    }
    let error = #expect(throws: SyncError.self) { try driver.run() }
    #expect(error?.code == "connectionLost")
    #expect(count == options.attemptsMax)
  }

  @Test("What the server asks to wait is waited")
  func retryAfter() throws {
    var isBusy = true
    server.refusal = { request in
      guard isBusy, case .auth = request else { return nil }
      isBusy = false
      return ErrorMessage(
        code: "busy", class: .retry, action: .backoff, message: "later", retryAfter: 30_000)
    }
    var driver = driver { MemoryConnection(server, clock) }
    _ = try driver.run()
    #expect(clock.seconds >= 30)
  }

  @Test("An error that no waiting can mend is not tried again")
  func noRetry() {
    var count = 0
    server.refusal = { request in
      guard case .auth = request else { return nil }
      return ErrorMessage(code: "unknown_account", class: .auth, message: "no")
    }
    var driver = driver {
      count += 1
      return MemoryConnection(server, clock)
    }
    let error = #expect(throws: SyncError.self) { try driver.run() }
    #expect(error?.code == "unknown_account")
    #expect(count == 1)
  }

  @Test("An error of the storage ends the sync and is thrown as it is")
  func storageError() {
    storage.callsUntilFailure = 12
    var driver = driver { MemoryConnection(server, clock) }
    #expect(throws: MemoryStorage.Failure.self) { try driver.run() }
  }

  @Test("A sync that was cancelled before it began does not begin")
  func cancelled() {
    let cancellation = SyncCancellation()
    cancellation.cancel()
    var driver = SyncDriver(
      storage: storage, options: options, clock: wall, monotonic: clock,
      random: SeededSource(seed: 3), cancellation: cancellation,
      connect: { MemoryConnection(server, clock) })
    #expect(throws: SyncError.cancelled) { try driver.run() }
    #expect(server.requests.isEmpty)
  }
}
