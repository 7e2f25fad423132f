import FolioDomain
import TestSupport
import Testing

@Suite("When an entry counts as having happened")
struct EffectiveTimeTests {
  private func time(_ text: String) throws -> Timestamp { try Timestamp(text) }

  @Test("A right clock's entry counts from when it was recorded")
  func recorded() throws {
    let effective = EffectiveTime.next(
      previous: nil, recordedAt: try time("2026-03-01T07:00:00Z"),
      acceptedAt: try time("2026-03-04T09:00:00Z"))
    #expect(effective.text == "2026-03-01T07:00:00Z")
  }

  @Test("F24: a clock an hour off is taken; ahead it counts as 120 s ahead of the server's")
  func hourOff() throws {
    let accepted = try time("2026-03-01T07:00:00Z")
    let ahead = EffectiveTime.next(
      previous: nil, recordedAt: try time("2026-03-01T08:00:00Z"), acceptedAt: accepted)
    #expect(ahead.text == "2026-03-01T07:02:00Z")
    let behind = EffectiveTime.next(
      previous: nil, recordedAt: try time("2026-03-01T06:00:00Z"), acceptedAt: accepted)
    #expect(behind.text == "2026-03-01T06:00:00Z")
    let within = EffectiveTime.next(
      previous: nil, recordedAt: try time("2026-03-01T07:01:59.999Z"), acceptedAt: accepted)
    #expect(within.text == "2026-03-01T07:01:59.999Z")
  }

  @Test("F25: an entry from the future is bounded, and nobody adopts its time")
  func future() throws {
    var log = LogBuilder()
    let accepted = try time("2026-03-01T07:00:00Z")
    try log.append([], recordedAt: try time("9999-12-31T00:00:00Z"), acceptedAt: accepted)
    let state = log.state
    #expect(state.greatestEffectiveAt?.text == "2026-03-01T07:02:00Z")
    let next = EffectiveTime.recordedAt(
      now: accepted, greatestEffectiveAt: state.greatestEffectiveAt)
    #expect(next.text == "2026-03-01T07:02:00.001Z")
  }

  @Test("F26: what is recorded moves on with the state that was stored, and with nothing else")
  func movesWithData() throws {
    let now = try time("2026-03-01T07:00:00Z")
    var log = LogBuilder()
    let stored = log.state
    try log.append([], recordedAt: now.adding(milliseconds: 60_000), acceptedAt: now)
    var failed = stored
    failed.apply(log.entries[0].entry, hash: log.entries[0].hash)
    #expect(
      EffectiveTime.recordedAt(now: now, greatestEffectiveAt: stored.greatestEffectiveAt) == now)
    #expect(
      EffectiveTime.recordedAt(now: now, greatestEffectiveAt: failed.greatestEffectiveAt)
        == now.adding(milliseconds: 60_001))
  }

  @Test("F27: a device that wakes in 1970 counts at most 400 days back, and not before 2020")
  func epoch() throws {
    let epoch = Timestamp(milliseconds: 0)
    let accepted = try time("2026-03-01T07:00:00Z")
    let effective = EffectiveTime.next(previous: nil, recordedAt: epoch, acceptedAt: accepted)
    #expect(effective.text == "2025-01-25T07:00:00Z")
    #expect(Slot(containing: effective).distance(to: Slot(containing: accepted)) == 1_600)
    let early = EffectiveTime.next(
      previous: nil, recordedAt: epoch, acceptedAt: try time("2020-06-01T00:00:00Z"))
    #expect(early.text == "2020-01-01T00:00:00Z")
  }

  @Test("A device's entries never count as earlier than the one before")
  func neverBack() throws {
    let accepted = try time("2026-03-01T07:00:00Z")
    let previous = try time("2026-03-01T06:30:00Z")
    let effective = EffectiveTime.next(
      previous: previous, recordedAt: try time("2026-02-01T00:00:00Z"), acceptedAt: accepted)
    #expect(effective == previous)
  }

  @Test("Times at the ends of what there is do not overflow")
  func extremes() {
    let least = Timestamp(milliseconds: .min)
    let most = Timestamp(milliseconds: .max)
    #expect(
      EffectiveTime.next(previous: nil, recordedAt: most, acceptedAt: least)
        == EffectiveTime.earliest)
    #expect(EffectiveTime.next(previous: nil, recordedAt: most, acceptedAt: most) == most)
    #expect(EffectiveTime.recordedAt(now: least, greatestEffectiveAt: most) == most)
  }

  @Test("Every effective time is within its bounds, and grows along a device's entries")
  func bounds() throws {
    var random = SeededRandom()
    var previous: Timestamp?
    var accepted = try time("2021-01-01T00:00:00Z")
    for _ in 0..<500 {
      accepted = accepted.adding(milliseconds: Int64(random.int(0...100_000_000)))
      let recorded = Timestamp(
        milliseconds: Int64.random(in: -1_000_000_000_000...4_000_000_000_000, using: &random))
      let effective = EffectiveTime.next(
        previous: previous, recordedAt: recorded, acceptedAt: accepted)
      #expect(effective <= accepted.adding(milliseconds: 120_000))
      #expect(effective >= EffectiveTime.earliest)
      #expect(previous.map { $0 <= effective } ?? true)
      previous = effective
    }
  }
}
