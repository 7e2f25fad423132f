import FolioWire
import TestSupport
import Testing

@testable import FolioServer

/// What a client sends before it has logged in costs next to nothing, however much it is.
///
/// Measured in processes of their own.
@Suite(
  "Memory before the login",
  .enabled(if: PeakMemory.isMeasurable, Comment(rawValue: PeakMemory.reason)))
struct MemoryTests {
  @Test("F32 4 KiB before the handshake, and not a byte more", arguments: [4_096, 65_536])
  func lineWithoutEnd(pieceByteCount: Int) async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [size = pieceByteCount as Int] in
      let server = try ServerFixture()
      let hub = ServerHub(
        service: try ServerService(
          storage: server.storage, clock: server.clock, random: server.random))
      let piece = [UInt8](repeating: 0x20, count: size)
      // Once before, so that what is taken once and for all is not counted.
      var answer = try refuse(piece, by: hub)
      let growth = try PeakMemory.growth {
        for _ in 0..<1_000 { answer = try refuse(piece, by: hub) }
      }
      PeakMemory.report("1,000 times 4 pieces of \(size) bytes before the handshake", growth)
      precondition(answer.code == "line_too_long" && answer.limit == 4_096)
      precondition(growth.map { $0 <= Wire.lineByteLimit } == true)
    }
    PeakMemory.show(result?.standardOutputContent)
  }
}

/// What a client is told that sends no end of a line.
private func refuse(_ piece: [UInt8], by hub: ServerHub) throws -> ErrorMessage {
  guard let id = hub.connect(at: .zero) else { throw HubClientError.notConnected }
  for _ in 0..<4 { hub.receive(piece, on: id, at: .zero) }
  hub.advance(at: .zero)
  let output = Array(hub.output(of: id))
  hub.sent(output.count, on: id, at: .zero)
  precondition(hub.isFinished(id), "the connection goes on")
  hub.forget(id)
  guard case .error(nil, let error) = try Message(line: Array(output.dropLast())) else {
    throw HubClientError.notConnected
  }
  return error
}
