import FolioWire
import TestSupport
import Testing

@Suite struct FramerTests {
  /// What a framer makes of `stream`, fed in pieces of at most `size` bytes.
  private func lines(
    _ stream: [UInt8], size: Int, limit: Int = 64, finish: Bool = true
  ) -> (lines: [[UInt8]], error: WireError?) {
    var framer = LineFramer(lineByteLimit: limit)
    var lines: [[UInt8]] = []
    var start = 0
    do throws(WireError) {
      while start < stream.count {
        let end = min(stream.count, start + size)
        framer.append(stream[start..<end])
        start = end
        while let line = try framer.next() { lines.append(line) }
        #expect(framer.pendingByteCount <= limit + 2)
      }
      if finish { try framer.finish() }
      return (lines, nil)
    } catch {
      return (lines, error)
    }
  }

  private func check(
    _ stream: [UInt8], _ expected: [String], _ error: WireError? = nil, limit: Int = 64
  ) {
    for size in 1...max(1, stream.count) {
      let result = lines(stream, size: size, limit: limit)
      #expect(result.lines == expected.map { Array($0.utf8) }, "pieces of \(size)")
      #expect(result.error == error, "pieces of \(size)")
    }
  }

  @Test func linesEndWithOneByteAndNothingElse() {
    check(Array("a\nbc\n".utf8), ["a", "bc"])
    check(Array("a\u{2028}b\u{85}c\u{B}d\u{C}e\n".utf8), ["a\u{2028}b\u{85}c\u{B}d\u{C}e"])
    check([0x61, 0, 0x62, 0x0A], ["a\0b"])
  }

  @Test func emptyLinesAreLines() {
    check(Array("\n\na\n\r\n".utf8), ["", "", "a", ""])
  }

  @Test func F33_oneCarriageReturnBeforeTheEndIsDroppedAndNoOther() {
    check(Array("ab\r\ncd\n".utf8), ["ab", "cd"])
    check(Array("a\rb\n".utf8), [], WireError(.strayCarriageReturn, at: 1))
    check(Array("x\nab\r\r\n".utf8), ["x"], WireError(.strayCarriageReturn, at: 2))
    check(Array("\rab\r\n".utf8), [], WireError(.strayCarriageReturn, at: 0))
    check(Array("ab\r".utf8), [], WireError(.unterminatedLine, at: 3))
  }

  @Test func F34_theEndOfInputEndsNoLine() {
    check(Array("a\nbc".utf8), ["a"], WireError(.unterminatedLine, at: 2))
    check(Array("{\"type\":\"bye\"}".utf8), [], WireError(.unterminatedLine, at: 14))
    check([], [])
  }

  @Test func F32_lineWithoutEndIsCutAtTheLimit() {
    let full = String(repeating: "x", count: 8)
    check(Array((full + "\n" + full + "\r\n").utf8), [full, full], limit: 8)
    check(Array((full + "x\n").utf8), [], WireError(.lineTooLong, at: 8), limit: 8)
    check(Array((full + "xyz").utf8), [], WireError(.lineTooLong, at: 8), limit: 8)
    check(Array((full + "x\r\n").utf8), [], WireError(.lineTooLong, at: 8), limit: 8)
    check(Array((full + "\rx\n").utf8), [], WireError(.strayCarriageReturn, at: 8), limit: 8)
    var framer = LineFramer(lineByteLimit: 4_096)
    let piece = [UInt8](repeating: 0x20, count: 1_000)
    var accepted = 0
    do throws(WireError) {
      for _ in 0..<1_000 {
        framer.append(piece)
        accepted += 1
        while try framer.next() != nil {}
      }
    } catch {
      #expect(error == WireError(.lineTooLong, at: 4_096))
    }
    #expect(accepted == 5)
    #expect(framer.pendingByteCount == 0)
  }

  @Test func aFailedFramerStaysSo() throws {
    var framer = LineFramer(lineByteLimit: 4)
    framer.append(Array("a\rb\nok\n".utf8))
    for _ in 0..<3 {
      #expect(throws: WireError(.strayCarriageReturn, at: 1)) { try framer.next() }
      #expect(throws: WireError(.strayCarriageReturn, at: 1)) { try framer.finish() }
      framer.append(Array("x\n".utf8))
    }
  }

  @Test func theLimitCanBeRaisedBetweenLines() throws {
    var framer = LineFramer(lineByteLimit: 4)
    framer.append(Array("abcd\nabcdefgh\n".utf8))
    #expect(try framer.next() == Array("abcd".utf8))
    framer.lineByteLimit = 8
    #expect(try framer.next() == Array("abcdefgh".utf8))
    #expect(try framer.next() == nil)
  }

  @Test func F31_howAStreamIsCutMakesNoDifference() {
    var random = SeededRandom()
    for _ in 0..<300 {
      let alphabet: [UInt8] = [0x0A, 0x0A, 0x0D, 0x61, 0xC3, 0xA9, 0x22, 0x00]
      let stream = (0..<random.int(0...40)).map { _ in random.pick(alphabet) }
      let whole = lines(stream, size: max(1, stream.count), limit: 8)
      for size in 1...7 {
        let cut = lines(stream, size: size, limit: 8)
        #expect(cut.lines == whole.lines)
        #expect(cut.error == whole.error)
      }
    }
  }
}
