import FolioDomain
import FolioSystem
import Glibc
import Synchronization
import Testing

/// A clock that the test moves.
private final class ManualClock: MonotonicClock {
  private let time = Mutex(MonotonicTime(nanoseconds: 5))
  func now() -> MonotonicTime { time.withLock { $0 } }
  func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

@Suite struct ClockTests {
  @Test func theMonotonicClockNeverStepsBack() {
    let clock = SystemMonotonicClock()
    var last = clock.now()
    for _ in 0..<10_000 {
      let next = clock.now()
      #expect(next >= last)
      last = next
    }
  }

  @Test func theWallClockTellsThePresent() {
    let clock = SystemClock()
    // 2025-01-01 and 2200-01-01, so that a wrong unit is found.
    #expect(clock.now().milliseconds > 1_735_689_600_000)
    #expect(clock.now().milliseconds < 7_258_118_400_000)
  }

  @Test func anOffsetClockRunsOnFromItsStart() {
    let manual = ManualClock()
    let clock = OffsetClock(startingAt: Timestamp(milliseconds: 1_000), monotonic: manual)
    #expect(clock.now().milliseconds == 1_000)
    manual.advance(by: .milliseconds(1_500))
    #expect(clock.now().milliseconds == 2_500)
    manual.advance(by: .seconds(86_400))
    #expect(clock.now().milliseconds == 86_402_500)
  }

  @Test func anOffsetClockStopsAtTheLastMoment() {
    let manual = ManualClock()
    let clock = OffsetClock(startingAt: Timestamp(milliseconds: .max), monotonic: manual)
    manual.advance(by: .seconds(1))
    #expect(clock.now().milliseconds == .max)
  }

  @Test func deadlinesAddAndSubtract() {
    let time = MonotonicTime(nanoseconds: 100)
    #expect((time + .nanoseconds(50)).nanoseconds == 150)
    #expect((time + .nanoseconds(50)) - time == .nanoseconds(50))
    #expect(time - (time + .seconds(3)) == .seconds(-3))
    #expect(time + .seconds(Int64.max / 2) == .distantFuture)
    #expect(MonotonicTime.distantFuture + .seconds(-1) < .distantFuture)
    #expect(Duration.milliseconds(1_999).wholeMilliseconds == 1_999)
    #expect(Duration.microseconds(1_999).wholeMilliseconds == 1)
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
  }
}

/// The environment is the process's, so each of these has its own.
@Suite struct ClockVariableTests {
  @Test func withoutTheVariableTheClockIsTheSystems() async {
    await #expect(processExitsWith: .success) {
      unsetenv("FOLIO_CLOCK")
      let clock = try ProcessEnvironment.wallClock()
      precondition(clock is SystemClock)
    }
  }

  @Test func theVariableSetsTheClock() async {
    await #expect(processExitsWith: .success) {
      setenv("FOLIO_CLOCK", "2026-03-01T07:00:00Z", 1)
      let clock = try ProcessEnvironment.wallClock()
      let elapsed = clock.now().milliseconds - 1_772_348_400_000
      precondition((0..<10_000).contains(elapsed))
      usleep(20_000)
      precondition(clock.now().milliseconds - 1_772_348_400_000 >= elapsed + 19)
    }
  }

  @Test func aValueThatIsNoMomentIsRefused() async {
    await #expect(processExitsWith: .success) {
      setenv("FOLIO_CLOCK", "yesterday", 1)
      do throws(ClockVariableError) {
        _ = try ProcessEnvironment.wallClock()
        preconditionFailure()
      } catch {
        precondition(error.code == "clockMalformed")
        precondition(error.message == "FOLIO_CLOCK: not a time, at byte 0")
      }
    }
  }
}
