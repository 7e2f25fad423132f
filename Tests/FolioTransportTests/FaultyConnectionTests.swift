import FolioSystem
import FolioTransport
import TestSupport
import Testing

@Suite struct FaultyConnectionTests {
  private func faulty(
    _ change: (inout FaultyConnection.Faults) -> Void
  ) throws -> (FaultyConnection, DescriptorConnection) {
    var faults = FaultyConnection.Faults()
    change(&faults)
    let (a, b) = try DescriptorConnection.pair()
    return (FaultyConnection(a, faults), b)
  }

  @Test(arguments: [1, 2, 7])
  func bytesPassInPieces(byteCount: Int) throws {
    let (a, b) = try faulty { $0.pieceByteCount = byteCount }
    try a.write("in pieces")
    #expect(try b.readExactly(9) == Array("in pieces".utf8))
    try b.write("and back")
    #expect(try a.readChunk(until: soon())?.count == byteCount)
  }

  @Test(arguments: 0..<6)
  func sendingBreaksAfterThatManyBytes(byteCount: Int) throws {
    let (a, b) = try faulty { $0.sentByteCountMax = byteCount }
    #expect(throws: TransportError.reset) { try a.write("longer") }
    #expect(a.sentByteCount == byteCount)
    #expect(try b.readToEnd() == Array("longer".utf8.prefix(byteCount)))
  }

  @Test func receivingBreaksByAnEnd() throws {
    let (a, b) = try faulty {
      $0.receivedByteCountMax = 4
      $0.breaking = .end
    }
    try b.write("longer")
    #expect(try a.readToEnd() == Array("long".utf8))
  }

  @Test func aPulledCableSaysNothing() throws {
    let (a, b) = try faulty {
      $0.receivedByteCountMax = 2
      $0.breaking = .silence
    }
    try b.write("longer")
    #expect(try a.readExactly(2) == Array("lo".utf8))
    #expect(try a.readChunk(until: after(30)) == nil)
    #expect(throws: TransportError.timedOut) { try a.writeAll([1], until: after(30)) }
    a.close()
    #expect(throws: TransportError.closed) { try a.readChunk(until: .distantFuture) }
  }

  @Test func delaysAreWaitedOut() throws {
    let (a, b) = try faulty { $0.delay = .milliseconds(40) }
    let start = clock.now()
    try a.write("x")
    #expect(clock.now() - start >= .milliseconds(40))
    #expect(try b.readExactly(1).count == 1)
  }
}
