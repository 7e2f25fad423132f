import FolioDomain
import Testing

@testable import FolioGateway

@Suite("F13 Waiting before connecting again")
struct BackoffTests {
  struct Fixed: RandomSource {
    var value: UInt64
    func next() -> UInt64 { value }
  }

  @Test("The bound doubles from half a second to a minute")
  func doubles() {
    var backoff = Backoff(attemptsMax: nil)
    var bounds: [Int64] = []
    for _ in 0..<10 {
      // With full jitter any wait up to the bound may come: the number picked is the bound itself.
      let bound = min(500 << min(bounds.count, 7), 60_000)
      let wait = backoff.next(random: Fixed(value: UInt64(bound)))
      bounds.append(wait ?? -1)
    }
    #expect(bounds == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  }

  @Test("Full jitter: a wait may be nothing at all")
  func jitter() {
    var backoff = Backoff(attemptsMax: nil)
    #expect(backoff.next(random: Fixed(value: 0)) == 0)
  }

  @Test("What the server asks for is never undercut")
  func retryAfter() {
    var backoff = Backoff(attemptsMax: nil)
    #expect(backoff.next(retryAfter: 7_000, random: Fixed(value: 0)) == 7_000)
  }

  @Test("Attempts without progress end; progress starts the count anew, a login does not")
  func bounded() {
    var backoff = Backoff(attemptsMax: 3)
    #expect(backoff.next(random: Fixed(value: 1)) != nil)
    #expect(backoff.next(random: Fixed(value: 1)) != nil)
    backoff.noteProgress()
    #expect(backoff.next(random: Fixed(value: 1)) != nil)
    #expect(backoff.next(random: Fixed(value: 1)) != nil)
    #expect(backoff.next(random: Fixed(value: 1)) == nil)
    #expect(backoff.failedAttempts == 3)
  }

  @Test("An error of no known class waits the longest, whole [error-2]")
  func unknownClass() {
    var backoff = Backoff(attemptsMax: nil)
    #expect(backoff.next(isLongest: true, random: Fixed(value: 0)) == 60_000)
  }
}
