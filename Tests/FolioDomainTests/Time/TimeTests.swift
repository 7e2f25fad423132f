import FolioDomain
import TestSupport
import Testing

@Suite("Moments and slots")
struct TimeTests {
  @Test(
    "A moment is written in UTC and read back",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_772_348_400_000, "2026-03-01T07:00:00Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-2_203_891_200_000, "1900-03-01T00:00:00Z"), (1_582_934_400_001, "2020-02-29T00:00:00.001Z"),
    ])
  func timestampText(milliseconds: Int, text: String) throws {
    #expect(Timestamp(milliseconds: Int64(milliseconds)).text == text)
    #expect(try Timestamp(text).milliseconds == Int64(milliseconds))
  }

  @Test("Milliseconds may be written with fewer or more digits, where nothing is cut")
  func fractions() throws {
    #expect(try Timestamp("1970-01-01T00:00:00.5Z").milliseconds == 500)
    #expect(try Timestamp("1970-01-01T00:00:00.250000Z").milliseconds == 250)
    #expect(throws: TimeError.timeTooPrecise) { try Timestamp("1970-01-01T00:00:00.0001Z") }
  }

  @Test(
    "F29: what is no moment in UTC is refused",
    arguments: [
      "", "2026-03-01", "2026-03-01T07:00:00", "2026-03-01T07:00:00+00:00", "2026-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-03-01T24:00:00Z",
      "2026-03-01T23:60:00Z", "2016-12-31T23:59:60Z", "2026-03-01 07:00:00Z",
      "2026-03-01T07:00:00.Z", "2026-03-01t07:00:00z", "26-03-01T07:00:00Z",
      "2026-03-01T07:00:00Z ", "+2026-03-01T07:00:00Z",
    ])
  func malformedTime(text: String) {
    #expect(throws: TimeError.self) { try Timestamp(text) }
  }

  @Test("Every moment has a text, those of years beyond four digits too")
  func extremes() {
    #expect(Timestamp(milliseconds: 253_402_300_800_000).text == "+010000-01-01T00:00:00Z")
    #expect(Timestamp(milliseconds: -62_167_219_200_001).text == "-000001-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: .max).text.hasSuffix("Z"))
    #expect(Timestamp(milliseconds: .min).text.hasPrefix("-"))
    #expect(Slot(index: .max).start.milliseconds == .max)
    #expect(Slot(index: .min).start.milliseconds == .min)
  }

  @Test("Days count on through every leap year")
  func daysInOrder() throws {
    var previous = CivilDate(daysSinceEpoch: -800_000)
    for day in Int64(-799_999)...800_000 {
      let date = CivilDate(daysSinceEpoch: day)
      // One comparison a day: expectations are too slow for a million of them.
      let follows =
        date.day == previous.day + 1 && date.month == previous.month && date.year == previous.year
        || date.day == 1 && date.month == previous.month + 1 && date.year == previous.year
        || date.day == 1 && date.month == 1 && previous.month == 12
          && date.year == previous.year + 1
      guard follows, date.daysSinceEpoch == day else {
        Issue.record("day \(day) is \(date) after \(previous)")
        return
      }
      previous = date
    }
  }

  @Test(
    "F30: a slot is six hours of UTC, as an integer",
    arguments: [
      ("2026-01-01T00:00:00Z", "2026-01-01T00Z"), ("2026-01-01T05:59:59.999Z", "2026-01-01T00Z"),
      ("2026-01-01T06:00:00Z", "2026-01-01T06Z"), ("2026-01-01T17:59:59.999Z", "2026-01-01T12Z"),
      ("2026-01-01T23:59:59.999Z", "2026-01-01T18Z"),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T18Z"),
      ("2026-03-29T01:30:00Z", "2026-03-29T00Z"), ("0000-01-01T00:00:00Z", "0000-01-01T00Z"),
      ("9999-12-31T23:59:59.999Z", "9999-12-31T18Z"),
    ])
  func slotOfMoment(time: String, slot: String) throws {
    let found = Slot(containing: try Timestamp(time))
    #expect(found.text == slot)
    #expect(try Slot(slot) == found)
    #expect(found.start <= (try Timestamp(time)))
    #expect(try Timestamp(time) < Slot(index: found.index + 1).start)
    #expect(Slot(validating: found.index) == found)
  }

  /// Holds [slot-1].
  @Test("A transaction at 06:00:00.000 is first in the snapshot of 12:00")
  func firstSnapshot() throws {
    let exactly = Slot(containing: try Timestamp("2026-01-01T06:00:00Z"))
    #expect(exactly.firstSnapshot.text == "2026-01-01T12Z")
    let before = Slot(containing: try Timestamp("2026-01-01T05:59:59.999Z"))
    #expect(before.firstSnapshot.text == "2026-01-01T06Z")
  }

  @Test(
    "F29: what is no slot is refused",
    arguments: [
      "2026-01-01T07Z", "2026-01-01T6Z", "2026-01-01T24Z", "2026-01-01T06:00Z", "2026-02-30T00Z",
      "2026-01-01", "2026-01-01T06",
    ])
  func malformedSlot(text: String) {
    #expect(throws: TimeError.self) { try Slot(text) }
  }

  @Test("A slot index from outside must have a text form")
  func slotRange() {
    #expect(Slot.range.lowerBound.text == "0000-01-01T00Z")
    #expect(Slot.range.upperBound.text == "9999-12-31T18Z")
    #expect(Slot(validating: Slot.range.upperBound.index + 1) == nil)
    #expect(Slot(validating: 9_007_199_254_740_991) == nil)
  }

  @Test("F28: the year is that of UTC")
  func year() throws {
    #expect(try Timestamp("2025-12-31T23:59:59.999Z").year == 2025)
    #expect(try Timestamp("2026-01-01T00:00:00Z").year == 2026)
  }

  @Test("Any moment is read back from its text")
  func randomRoundTrip() throws {
    var random = SeededRandom()
    for _ in 0..<2_000 {
      let time = Timestamp(
        milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      #expect(try Timestamp(time.text) == time)
      let slot = Slot(containing: time)
      #expect(try Slot(slot.text) == slot)
    }
  }
}
