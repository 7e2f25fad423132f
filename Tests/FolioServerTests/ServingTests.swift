import FolioDomain
import FolioJSON
import FolioTransport
import FolioWire
import TestSupport
import Testing

@testable import FolioServer

/// Server processes, and clients over TCP and over standard streams.
struct ServingTests {
  private let program = BuiltProgram("folio-server")
  private let scratch: TestSupport.TemporaryFolder
  private let data: String

  init() throws {
    scratch = try TestSupport.TemporaryFolder("serving")
    data = scratch.path + "/data"
    let made = try program.run(["--data", data, "account", "create", "ann"])
    #expect(made.status == 0, "\(made.errors)")
  }

  private func stdio(_ account: String = "ann") throws -> WireClient {
    try WireClient(
      "stdio:exec '\(program.path)' --data '\(data)' serve --stdio --account \(account)")
  }

  @Test func twoClientsAtOnceGetEachOthersEntries() throws {
    let server = try ServerProcess(data: data)
    let first = try server.connect()
    let second = try server.connect()
    let ready = try first.logIn(device: 1)
    _ = try second.logIn(device: 2)
    for n in 1...20 {
      _ = try first.push(transaction(UInt128(n), device: 1, sequence: UInt64(n)))
      _ = try second.push(transaction(UInt128(100 + n), device: 2, sequence: UInt64(n)))
    }
    for client in [first, second] {
      guard
        case .page(let page) = try client.ask(
          .pull(Pull(after: ready.head, maxEntries: 100, maxBytes: 1 << 20)))
      else { return }
      #expect(page.entries.count == 40 && !page.more)
      var hash = ready.head.hash
      for entry in page.entries { hash = nextHash(after: hash, logEntry(entry)) }
      #expect(hash == page.last.hash)
    }
  }

  @Test func aNewConnectionDisplacesTheOld() throws {
    let server = try ServerProcess(data: data)
    let old = try server.connect()
    _ = try old.logIn(instance: 1)
    let new = try server.connect()
    _ = try new.logIn(instance: 2)
    #expect(try old.rest() == [.failed(.refused(.displaced))])
    #expect(try new.push(transaction(1, sequence: 1)).head.seq == 1)
  }

  @Test func moreClientsThanItIsToHaveAreToldToComeBack() throws {
    let server = try ServerProcess(data: data, clients: 2)
    let first = try server.connect()
    let second = try server.connect()
    _ = try first.logIn(device: 1)
    _ = try second.logIn(device: 2)
    #expect(try server.connect().rest() == [.failed(.refused(.busy(retryAfter: 1000)))])
    first.close()
    // The place is free as soon as the server has heard of it.
    var found: Ready?
    for _ in 0..<100 where found == nil {
      found = try? server.connect().logIn(device: 3)
      if found == nil { usleep(50_000) }
    }
    #expect(found != nil)
    #expect(try second.push(transaction(1, device: 2, sequence: 1)).head.seq == 1)
  }

  @Test(arguments: ["0", "-1", "many", "19001", ""])
  func aNumberOfClientsThatCannotBeIsAnErrorOfUse(count: String) throws {
    let run = try program.run(
      ["--data", data, "serve", "--listen", "127.0.0.1:0", "--clients", count])
    #expect(run.status == 64)
    #expect(run.errors.contains("1 to 19000"))
  }

  @Test func killedAndStartedAgainItHasEverythingItAcknowledged() throws {
    var head = LogPosition(seq: 0, hash: .zero)
    for round in 0..<3 {
      let server = try ServerProcess(data: data)
      let client = try server.connect()
      let ready = try client.logIn()
      if round > 0 { #expect(ready.head == head) }
      for n in 1...5 {
        let sequence = UInt64(round * 5 + n)
        head = try client.push(transaction(UInt128(sequence), sequence: sequence)).head
      }
      server.killed()
    }
    #expect(try program.run(["--data", data, "verify"]).status == 0)
    #expect(head.seq == 15)
  }

  @Test func terminatingDrains() throws {
    let server = try ServerProcess(data: data)
    let client = try server.connect()
    _ = try client.logIn()
    _ = try client.push(transaction(1, sequence: 1))
    server.terminate()
    #expect(try client.rest() == [.bye])
    client.close()
    #expect(server.status() == 0)
    let events = try server.log().map { try JSONValue(parsing: $0) }
    #expect(events.count > 3)
  }

  @Test func standardOutputCarriesTheProtocolAlone() throws {
    let client = try stdio()
    _ = try client.logIn()
    _ = try client.push(transaction(1, sequence: 1))
    try client.send(Array("{\"no\": json\n".utf8))
    client.finishSending()
    _ = try client.rest()
    #expect(client.exit() == .status(0))
    #expect(client.lines.count == 4)
    for line in client.lines { _ = try Message(line: line) }
  }

  @Test func onlyTheAccountThatWasNamedIsServed() throws {
    _ = try program.run(["--data", data, "account", "create", "bob"])
    let client = try stdio("ann")
    #expect(throws: WireClient.Failure.self) { try client.logIn("bob") }
    #expect(client.exit() == .status(0))
    let unknown = try stdio("nobody")
    #expect(throws: WireClient.Failure.self) { try unknown.logIn("nobody") }
  }

  @Test func aProcessPerClientSharesTheFolder() throws {
    let server = try ServerProcess(data: data)
    let first = try server.connect()
    _ = try first.logIn(device: 1)
    let second = try stdio()
    _ = try second.logIn(device: 2)
    for n in 1...10 {
      let number = UInt64(n)
      #expect(
        try first.push(transaction(UInt128(n), device: 1, sequence: number)).head.seq
          == 2 * number - 1)
      #expect(
        try second.push(transaction(UInt128(50 + n), device: 2, sequence: number)).head.seq
          == 2 * number)
    }
  }

  @Test func aRunningServerSeesWhatOtherProcessesDo() throws {
    let server = try ServerProcess(data: data, clock: "2026-03-01T11:59:50Z")
    let client = try server.connect()
    let ready = try client.logIn()
    #expect(ready.market.position.through.text == "2026-03-01T06Z")
    try scratch.write(
      Array(
        """
        time,type,id,price
        2026-03-01T05:00:00Z,crypto,bitcoin,1
        2026-03-01T11:00:00Z,crypto,bitcoin,2
        """.utf8), to: "prices.csv")
    let imported = try program.run(
      ["--data", data, "prices", "import", scratch.path + "/prices.csv", "--json"],
      environment: ["FOLIO_CLOCK": "2026-03-01T11:59:58Z"])
    #expect(imported.status == 0, "\(imported.errors)")
    guard case .tables(let tables) = try client.ask(.prices(PricesRequest())) else { return }
    #expect(tables.tables.first?.slot.text == "2026-03-01T06Z")
    // The held back table comes once the server's clock has passed its boundary.
    var seen = tables.tables.count
    for _ in 0..<300 where seen < 2 {
      usleep(100_000)
      guard case .tables(let later) = try client.ask(.prices(PricesRequest())) else { return }
      seen = later.tables.count
    }
    #expect(seen == 2)
    _ = try program.run(["--data", data, "account", "disable", "ann"])
    #expect(try client.rest() == [.failed(.refused(.accountUnknown))])
  }
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
