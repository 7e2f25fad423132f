import FolioApp
import FolioDomain
import FolioGateway
import FolioJSON
import FolioServer
import FolioStore
import FolioSystem
import FolioTransport
import Foundation
import TestSupport
import Testing

/// Clients and a server that speak over real sockets, each on a thread of its own.
@Suite("Over TCP")
struct RealConnectionTests {
  /// A server that listens on this machine, on a thread of its own, until the tests end.
  private func listen(_ clock: ManualClock) throws -> LoopbackAddress {
    let random = SeededSource(seed: 5)
    let storage = MemoryServerStorage()
    _ = try storage.write(PrepareFolder(base: "USD", random: random, now: clock.now()))
    _ = try storage.write(CreateAccount("me", random: random, now: clock.now()))
    let service = try ServerService(storage: storage, clock: clock, random: random)
    let server = Listening(try ServerLoop(hub: ServerHub(service: service)))
    let address = try server.loop.listen(on: LoopbackAddress(port: 0))
    Thread { try? server.loop.run() }.start()
    return address
  }

  /// A loop on its way to the one thread that uses it.
  private final class Listening: @unchecked Sendable {
    let loop: ServerLoop
    init(_ loop: ServerLoop) { self.loop = loop }
  }

  @Test("Four devices with much to say at once: all of it is everywhere, and nobody waits for ever")
  func together() async throws {
    let world = try World()
    let url = "tcp://\(try listen(world.clock))"
    var portfolios: [Portfolio] = []
    for index in 0..<4 {
      var options = world.options()
      options.connect = nil
      options.attemptsMax = nil
      let portfolio = try Portfolio.create(at: world.path("device \(index)"), options: options)
      try portfolio.add("\(index + 1)", of: "crypto:bitcoin")
      // About 2 MB for each device, in transactions of nearly the greatest size.
      for part in 0..<12 {
        let text = String(repeating: "x", count: 150_000)
        let put = DocumentPut(
          collection: try CollectionName(validating: "notes"),
          document: DocumentID(UInt128(index * 100 + part)),
          set: [DocumentField(FieldPath(try FieldName(validating: "text")), .string(text))])
        try portfolio.save([.put(put)])
      }
      portfolios.append(portfolio)
    }
    for _ in 0..<2 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for portfolio in portfolios {
          group.addTask { _ = try await portfolio.sync(server: url, account: "me") }
        }
        try await group.waitForAll()
      }
    }
    let basis = try portfolios[0].read { try $0.digestBasis() }
    #expect(basis.position?.seq == UInt64(4 * 13))
    for portfolio in portfolios {
      #expect(try portfolio.read { try $0.digestBasis() } == basis)
      #expect(try portfolio.status().outbox.count == 0)
      #expect(try portfolio.holdings().first?.holding.amount.decimalText == "10")
    }
  }
}
