import FolioSystem
@testable import FolioTransport
import Glibc
import Synchronization
import Testing

@Suite struct EventLoopSystemTests {
  @Test func timersGoOffInOrderAndNotOnceTakenBack() throws {
    let loop = try EventLoop()
    try loop.listen(on: LoopbackAddress(port: 0)) { _ in nil }
    let log = Mutex<[Int]>([])
    let now = clock.now()
    loop.setTimer(at: now + .milliseconds(30)) { log.withLock { $0.append(3) } }
    loop.setTimer(at: now + .milliseconds(10)) { log.withLock { $0.append(1) } }
    let taken = loop.setTimer(at: now + .milliseconds(15)) { log.withLock { $0.append(9) } }
    loop.setTimer(at: now + .milliseconds(20)) {
      log.withLock { $0.append(2) }
      loop.setTimer(at: now) { log.withLock { $0.append(4) } }
    }
    loop.setTimer(at: now + .milliseconds(60)) { loop.stop() }
    loop.cancelTimer(taken)
    try loop.run()
    #expect(log.withLock { $0 } == [1, 2, 4, 3])
    #expect(clock.now() - now >= .milliseconds(60))
  }

  @Test func workFromOtherThreadsIsDoneInOrder() throws {
    let loop = try EventLoop()
    try loop.listen(on: LoopbackAddress(port: 0)) { _ in nil }
    let log = Log()
    let waker = loop.waker
    let thread = SystemThread {
      for number in 0..<1_000 { waker.perform { _ in log.numbers.withLock { $0.append(number) } } }
      waker.perform { _ in log.isDone.store(true, ordering: .relaxed) }
    }
    loop.turnEnded = { if log.isDone.load(ordering: .relaxed) { loop.stop() } }
    try loop.run()
    thread.join()
    #expect(log.numbers.withLock { $0 } == Array(0..<1_000))
  }

  @Test func anAddressThatIsTakenIsNamed() throws {
    let reserved = try PlainListener()
    defer { reserved.close() }
    let loop = try EventLoop()
    let error = #expect(throws: TransportError.self) {
      try loop.listen(on: reserved.address) { _ in nil }
    }
    #expect(error == .addressInUse(address: "\(reserved.address)"))
  }

  @Test func connectionsAboveTheLimitAreClosedAtOnce() throws {
    var limits = EventLoop.Limits()
    limits.connectionCountMax = 2
    let server = try LoopServer(limits: limits)
    let first = try server.connect()
    let second = try server.connect()
    for client in [first, second] {
      try client.write("x")
      #expect(try client.readExactly(1).count == 1)
    }
    #expect(try server.connect().readToEnd() == [])
    first.close()
    #expect(server.ends.next() == .closed)
    let third = try server.connect()
    try third.write("x")
    #expect(try third.readExactly(1).count == 1)
    server.stop()
  }
}

private final class Log: Sendable {
  let numbers = Mutex<[Int]>([])
  let isDone = Atomic(false)
}

// Each of these changes something of its whole process, and so has its own.
@Suite struct EventLoopProcessTests {
  @Test func aThousandConnectionsLeaveNothingOpen() async {
    await #expect(processExitsWith: .success) {
      let before = openDescriptorCount()
      try serveAThousand()
      expectNoMoreOpen(than: before)
    }
  }

  @Test func withoutDescriptorsConnectionsWaitUntilSomeComeFree() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopServer()
      let client = try server.connect()
      try client.write("x")
      try check(try client.readExactly(1).count == 1)
      var limit = rlimit(rlim_cur: 200, rlim_max: 200)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let waiting = try callSocket(AF_INET)
      var held: [Int32] = []
      while case let descriptor = dup(0), descriptor >= 0 { held.append(descriptor) }
      _ = try callConnect(waiting, server.address.socketAddresses[0])
      // What is served already goes on.
      try client.write("y")
      try check(try client.readExactly(1).count == 1)
      for descriptor in held { close(descriptor) }
      let connection = try DescriptorConnection(
        reading: waiting, writing: waiting, peer: "test", clock: clock)
      try connection.write("z")
      try check(try connection.readExactly(1).count == 1)
      server.stop()
    }
  }

  @Test func signalsAreWatchedByTheLoop() async {
    await #expect(processExitsWith: .success) {
      let signals = try SignalPipe([.terminate])
      let loop = try EventLoop()
      try loop.listen(on: LoopbackAddress(port: 0)) { _ in nil }
      try loop.watch(signals.descriptor) {
        if signals.take() == [.terminate] { loop.stop() }
      }
      loop.setTimer(at: clock.now() + .milliseconds(20)) { kill(getpid(), SIGTERM) }
      try loop.run()
    }
  }

  /// Standard input and output from and to plain files, which Linux's poller refuses.
  @Test func standardStreamsMayBePlainFiles() async {
    await #expect(processExitsWith: .success) {
      let folder = try ScratchFolder()
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      try Files.write(bytes, to: "\(folder.path)/in")
      let input = open("\(folder.path)/in", O_RDONLY)
      let output = open("\(folder.path)/out", O_WRONLY | O_CREAT, 0o600)
      dup2(input, 0)
      dup2(output, 1)
      let notes = EndNotes()
      let loop = try EventLoop()
      try loop.serveStandardStreams { _ in TestHandler(TestBehaviour(), notes) }
      try loop.run()
      precondition(notes.next() == .closed)
      try check(try Files.read("\(folder.path)/out") == bytes)
    }
  }

  @Test func flagsOfStandardStreamsArePutBack() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      let before = fcntl(ends[0], F_GETFL)
      dup2(ends[0], 0)
      dup2(ends[1], 1)
      let notes = EndNotes()
      let loop = try EventLoop()
      let connection = try loop.serveStandardStreams { _ in TestHandler(TestBehaviour(), notes) }
      precondition(fcntl(ends[0], F_GETFL) & O_NONBLOCK != 0)
      connection.close()
      try loop.run()
      precondition(fcntl(ends[0], F_GETFL) == before)
    }
  }
}

private func serveAThousand() throws {
  let server = try LoopServer()
  for _ in 0..<10 {
    let clients = try (0..<100).map { _ in try server.connect() }
    for client in clients { try client.write("x") }
    for client in clients { try check(try client.readExactly(1).count == 1) }
    for client in clients { client.close() }
    for _ in clients { precondition(server.ends.next() == .closed) }
  }
  server.stop()
}
