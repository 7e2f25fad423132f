import FolioDomain
import Testing

@Suite("The range of a report")
struct ReportRangeTests {
  let closed = Slot(index: 100)...Slot(index: 120)

  @Test("Without ends it is from the first to the latest closed snapshot")
  func whole() throws {
    #expect(try Report.range(from: nil, to: nil, closed: closed) == closed)
  }

  @Test("Both ends are included, and one slot is a range")
  func ends() throws {
    let slot = Slot(index: 110)
    #expect(try Report.range(from: slot, to: slot, closed: closed) == slot...slot)
    #expect(
      try Report.range(from: slot, to: nil, closed: closed) == slot...closed.upperBound)
    #expect(
      try Report.range(from: nil, to: slot, closed: closed) == closed.lowerBound...slot)
  }

  @Test("A range that begins before the first snapshot begins with it")
  func early() throws {
    #expect(
      try Report.range(from: Slot(index: 0), to: nil, closed: closed) == closed)
  }

  @Test("What is not closed, reversed or empty is refused, with the slots")
  func refused() {
    #expect(throws: ReportError.notClosed(Slot(index: 121), latest: Slot(index: 120))) {
      try Report.range(from: nil, to: Slot(index: 121), closed: closed)
    }
    #expect(throws: ReportError.notClosed(Slot(index: 121), latest: Slot(index: 120))) {
      try Report.range(from: Slot(index: 121), to: nil, closed: closed)
    }
    #expect(throws: ReportError.rangeReversed(from: Slot(index: 111), to: Slot(index: 110))) {
      try Report.range(from: Slot(index: 111), to: Slot(index: 110), closed: closed)
    }
    #expect(throws: ReportError.noSnapshots) {
      try Report.range(from: nil, to: Slot(index: 99), closed: closed)
    }
    #expect(throws: ReportError.noSnapshots) {
      try Report.range(from: nil, to: nil, closed: nil)
    }
  }

  @Test("A builder that was given no snapshot has no report")
  func noSnapshot() {
    let rules = PricingRules(base: "USD")
    #expect(throws: ReportError.noSnapshots) {
      try ReportBuilder(options: ReportOptions(), rules: rules)
        .finish(SnapshotWalker(at: Slot(index: 0), rules: rules))
    }
  }

  @Test("Each error has a code, a message and a hint of its own")
  func errors() {
    let slot = Slot(index: 1)
    let errors: [ReportError] = [
      .noSnapshots, .rangeReversed(from: slot, to: slot), .notClosed(slot, latest: slot),
      .noRate(key("forex:EUR"), at: slot), .outOfRange(key("forex:EUR"), at: slot, digitLimit: 52),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(Set(errors.map(\.message)).count == errors.count)
    #expect(errors.allSatisfy { !$0.hint.isEmpty })
  }
}
