import FolioCrypto
import FolioDomain
import Testing

@Suite struct SystemRandomTests {
  @Test func noWordComesTwice() {
    let source = SystemRandom()
    let words = (0..<10_000).map { _ in source.next() }
    #expect(Set(words).count == words.count)
    #expect(!words.contains(0), "a wiped word was given out")
  }

  @Test func everyBitIsSometimesSet() {
    let source = SystemRandom()
    var ones = UInt64(0)
    var zeros = UInt64(0)
    for _ in 0..<200 {
      let word = source.next()
      ones |= word
      zeros |= ~word
    }
    #expect(ones == .max)
    #expect(zeros == .max)
  }

  @Test func threadsShareASourceAndNeverAWord() async {
    let source = SystemRandom()
    let all = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<2_000).map { _ in source.next() } }
      }
      return await group.reduce(into: [UInt64]()) { $0 += $1 }
    }
    #expect(Set(all).count == 16_000)
  }
}
