import FolioSystem
import FolioTransport
import Testing

@Suite struct DescriptorConnectionTests {
  @Test func whatOneSideWritesTheOtherReads() throws {
    let (a, b) = try DescriptorConnection.pair()
    try a.write("hello")
    #expect(try b.readExactly(5) == Array("hello".utf8))
    try b.write("back")
    #expect(try a.readExactly(4) == Array("back".utf8))
  }

  @Test func aReadWaitsToItsDeadlineAndNoLonger() throws {
    let (a, b) = try DescriptorConnection.pair()
    let start = clock.now()
    #expect(try a.readChunk(until: after(50)) == nil)
    #expect(clock.now() - start >= .milliseconds(50))
    #expect(try a.readChunk(until: clock.now()) == nil, "a deadline in the past only looks")
    try b.write("x")
    #expect(try a.readChunk(until: clock.now()) == [UInt8(ascii: "x")])
  }

  @Test func theEndOfThePeersSendingIsNoEndOfOurs() throws {
    let (a, b) = try DescriptorConnection.pair()
    try a.write("last")
    a.finishSending()
    #expect(try b.readToEnd() == Array("last".utf8))
    try b.write("answer")
    b.close()
    #expect(try a.readToEnd() == Array("answer".utf8))
    #expect(throws: TransportError.reset) { try a.write("more") }
  }

  @Test func aWriterThatNobodyReadsMeetsItsDeadline() throws {
    let (a, b) = try DescriptorConnection.pair()
    let much = [UInt8](repeating: 1, count: 8 << 20)
    #expect(throws: TransportError.timedOut) { try a.writeAll(much, until: after(100)) }
    _ = b.peer
  }

  @Test func aPeerThatIsGoneIsAnError() throws {
    let (a, b) = try DescriptorConnection.pair()
    b.close()
    #expect(throws: TransportError.reset) { try a.write("x") }
    #expect(try a.readChunk(until: soon()) == [])
  }

  @Test func whatThePeerSaidBeforeItWentIsHeardFirst() throws {
    let (a, b) = try DescriptorConnection.pair()
    try b.write("because")
    b.close()
    let received = try a.exchangeAll([UInt8](repeating: 0, count: 1 << 20), finishing: false)
    #expect(received == Array("because".utf8))
  }

  @Test func closingEndsACallThatWaitsInAnotherThread() throws {
    let (a, b) = try DescriptorConnection.pair()
    let reader = SystemThread {
      #expect(throws: TransportError.closed) { try a.readChunk(until: .distantFuture) }
    }
    _ = try b.readChunk(until: after(30))
    a.close()
    reader.join()
    #expect(throws: TransportError.closed) { try a.readChunk(until: soon()) }
    #expect(throws: TransportError.closed) { try a.write("x") }
    a.close()
  }

  @Test func fiftyMegabytesGoBothWaysAtOnce() throws {
    let (a, b) = try DescriptorConnection.pair()
    let byteCount = 50 << 20
    let one = [UInt8](repeating: 1, count: byteCount)
    let two = [UInt8](repeating: 2, count: byteCount)
    let thread = SystemThread {
      let isRight = (try? b.exchangeAll(two)) == one
      #expect(isRight)
    }
    let isRight = try a.exchangeAll(one) == two
    #expect(isRight)
    thread.join()
  }
}
