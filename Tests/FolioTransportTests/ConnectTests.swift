import FolioSystem
@testable import FolioTransport
import Glibc
import Testing

@Suite struct ConnectTests {
  @Test func aServerOnThisMachineIsReached() throws {
    let listener = try PlainListener()
    defer { listener.close() }
    let client = try ServerURL("tcp://\(listener.address)").connect()
    let server = try listener.accept()
    try client.write("ping")
    #expect(try server.readExactly(4) == Array("ping".utf8))
    server.close()
    #expect(try client.readToEnd() == [])
  }

  @Test func localhostTriesBothAddresses() throws {
    let listener = try PlainListener()
    defer { listener.close() }
    let client = try ServerURL("tcp://localhost:\(listener.address.port)").connect()
    client.close()
  }

  @Test(arguments: ["127.0.0.1", "localhost", "[::1]"])
  func whereNobodyListensTheErrorNamesTheAddress(host: String) throws {
    let reserved = try ReservedPort()
    defer { reserved.close() }
    let port = reserved.port
    let error = #expect(throws: TransportError.self) {
      try ServerURL("tcp://\(host):\(port)").connect()
    }
    #expect(["connectionRefused", "serverUnreachable"].contains(error?.code ?? ""))
    if host == "127.0.0.1" {
      #expect(error == .refused(address: "\(host):\(port)"))
      #expect(error?.message == "nobody listens at \(host):\(port)")
    }
  }

  @Test func aServerThatDoesNotAnswerMeetsTheDeadline() throws {
    // With a queue of one and nobody accepting, the system drops further requests to connect.
    let listener = try PlainListener()
    defer { listener.close() }
    #expect(listen(listener.descriptor, 0) == 0)
    var waiting: [DescriptorConnection] = []
    let error = #expect(throws: TransportError.self) {
      for _ in 0..<8 {
        waiting.append(try listener.address.connect(timeout: .milliseconds(200)))
      }
    }
    #expect(
      error == .connectTimedOut(address: "\(listener.address)", after: .milliseconds(200)))
  }
}

/// Descriptors are counted for the whole process, so this has one of its own.
@Test func nothingStaysOpenAfterAThousandConnections() async {
  await #expect(processExitsWith: .success) {
    let listener = try PlainListener()
    let before = openDescriptorCount()
    for _ in 0..<1_000 {
      let client = try listener.address.connect()
      let server = try listener.accept()
      try client.write("x")
      _ = try server.readExactly(1)
      client.close()
      server.close()
    }
    for _ in 0..<50 {
      let connection = try ChildProcess.start("exec cat")
      try connection.write("x")
      _ = try connection.readExactly(1)
      connection.close()
    }
    listener.close()
    expectNoMoreOpen(than: before)
  }
}

@Test func withoutDescriptorsTheErrorSaysSo() async {
  await #expect(processExitsWith: .success) {
    let listener = try PlainListener()
    var held: [Int32] = []
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    while case let descriptor = dup(0), descriptor >= 0 { held.append(descriptor) }
    do throws(TransportError) {
      _ = try listener.address.connect()
      preconditionFailure()
    } catch {
      precondition(error == .tooManyFiles)
    }
    for free in 0..<4 {
      // With a few free, starting a child fails half way; nothing may be lost by it.
      if free > 0 { close(held.removeLast()) }
      do throws(TransportError) {
        _ = try ChildProcess.start("exec cat")
        preconditionFailure()
      } catch {
        precondition(error == .tooManyFiles)
      }
    }
    precondition(dup(0) >= 0, "a failed start kept descriptors")
  }
}
