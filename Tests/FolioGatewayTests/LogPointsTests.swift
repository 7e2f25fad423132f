import Testing

@testable import FolioGateway

@Suite("F20 The places a client names, so that the newest common one is found")
struct LogPointsTests {
  @Test("An empty log names none")
  func empty() {
    #expect(LogPoints.sequences(first: 1, last: 0) == [])
  }

  @Test("Short logs are named closely")
  func short() {
    #expect(LogPoints.sequences(first: 1, last: 1) == [1])
    #expect(LogPoints.sequences(first: 1, last: 3) == [3, 2, 1])
    #expect(LogPoints.sequences(first: 1, last: 20) == [20, 19, 18, 16, 12, 4, 1])
  }

  @Test(
    "Any log: at most 16, newest first, each once, from its end to its beginning",
    arguments: [1, 2, 17, 1_000, 16_384, 16_385, 100_000, 1_000_000, 1 << 40, 1 << 53] as [UInt64])
  func any(last: UInt64) {
    for first in [1, last / 2, last] {
      let sequences = LogPoints.sequences(first: first, last: last)
      #expect(sequences.count <= 16)
      #expect(sequences.first == last)
      #expect(sequences.last == max(first, 1))
      #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 > $1 })
    }
  }

  @Test("A log of 100,000 entries: what is thrown away by a fork is bounded by the distance")
  func spacing() {
    let sequences = LogPoints.sequences(first: 1, last: 100_000)
    for (newer, older) in zip(sequences, sequences.dropFirst()) {
      #expect(100_000 - older <= max(1, 4 * (100_000 - newer)))
    }
  }
}
