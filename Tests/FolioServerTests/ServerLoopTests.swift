import FolioDomain
import FolioSystem
import FolioTransport
import FolioWire
import Testing

@testable import FolioServer

/// A hub on an event loop, with connections in the same process.
struct ServerLoopTests {
  private func lines(_ connection: DescriptorConnection) throws -> [Message] {
    var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let deadline = SystemMonotonicClock().now() + .seconds(10)
    while case .bytes(let count) = try connection.read(into: &buffer, until: deadline) {
      framer.append(buffer[..<count])
    }
    var messages: [Message] = []
    while let line = try framer.next() { messages.append(try Message(line: line)) }
    return messages
  }

  @Test func aConnectionTooManyIsToldToComeBack() throws {
    var limits = HubLimits()
    limits.connections = 0
    let fixture = try HubFixture(limits: limits)
    let loop = try ServerLoop(hub: fixture.hub)
    let connection = try loop.servePair()
    connection.finishSending()
    try loop.run()
    #expect(try lines(connection) == [.error(nil, .busy(retryAfter: 1000))])
  }

  @Test func whatCameTogetherIsAnsweredAndTheLoopEndsWithTheLastConnection() throws {
    let fixture = try HubFixture()
    let loop = try ServerLoop(hub: fixture.hub)
    var connections: [DescriptorConnection] = []
    for device in 1...3 {
      let connection = try loop.servePair()
      let hello = Hello(client: Software(name: "t", version: "1"), nonce: 1)
      try connection.writeAll(
        Message.request(RequestID(UInt64(device)), .hello(hello)).line,
        until: SystemMonotonicClock().now() + .seconds(5))
      connection.finishSending()
      connections.append(connection)
    }
    try loop.run()
    for (index, connection) in connections.enumerated() {
      guard case .reply(let re, .welcome)? = try lines(connection).first else {
        Issue.record("no welcome")
        return
      }
      #expect(re.value == UInt64(index + 1))
    }
    #expect(fixture.hub.count == 0)
  }
}
