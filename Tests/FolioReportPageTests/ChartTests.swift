import FolioDomain
import Testing

@testable import FolioReportPage

@Suite("The chart of the value over time")
struct ChartTests {
  @Test("numbers on the scale are few, round, and said in few characters")
  func axis() {
    #expect(ValueAxis(0, 100_000).marks.map(\.text) == ["0", "20k", "40k", "60k", "80k", "100k"])
    #expect(ValueAxis(0, 0).marks.map(\.text) == ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    #expect(ValueAxis(-3, 4).marks.map(\.text) == ["-3", "-2", "-1", "0", "1", "2", "3", "4"])
    #expect(ValueAxis(990_000, 1_010_000).marks.first?.text == "990k")
    #expect(ValueAxis(0, 0.0031).marks.last?.text == "0.0035")
    #expect(ValueAxis.text(15, 5) == "1.5M" && ValueAxis.text(2, 10) == "20B")
    #expect(ValueAxis.text(25, 1) == "250" && ValueAxis.text(-1, 13) == "-10T")
  }

  @Test(
    "every value lies on the scale, which has at least two numbers",
    arguments: [
      (0.0, 1e-18), (1e30, 1e38), (-1e12, -1.0), (7.0, 7.0), (-5.0, -5.0), (99.9, 100.0),
    ])
  func bounds(least: Double, greatest: Double) {
    let axis = ValueAxis(least, greatest)
    #expect(axis.low <= least && greatest <= axis.high && axis.low < axis.high)
    #expect((2...12).contains(axis.marks.count), "\(axis.marks.count)")
  }

  @Test("no peak is lost where points are denser than the line can show")
  func peaks() throws {
    var series = try (0..<14_600).map { try point($0, "1000") }
    series[7_777].value = Value(try Amount("99999"))
    series[3_333].value = Value(try Amount("-5"))
    let chart = ValueChart(series, .narrow)
    let places = chart.linePlaces
    #expect(places.contains(7_777) && places.contains(3_333))
    #expect(places.first == 0 && places.last == 14_599)
    #expect(places == places.sorted() && places.count < 1_000)
    #expect(ValueChart(Array(series.prefix(300)), .wide).linePlaces == Array(0..<300))
  }

  @Test("marks that would cover each other are one, with the sum")
  func flows() throws {
    let series = try (0..<14_600).map { try point($0, "1", in: $0 % 7 == 0 ? "2" : "0") }
    let chart = ValueChart(series, .wide)
    let flows = chart.flows(\.deposits)
    #expect(flows.count < 90)
    #expect(flows.map(\.sum).reduce(.zero, +) == series.map(\.deposits).reduce(.zero, +))
    #expect(flows.allSatisfy { $0.places.contains($0.place) })
    #expect(chart.flows(\.withdrawals).isEmpty)
  }

  @Test("a single snapshot is a dot, in the drawing")
  func single() throws {
    let chart = ValueChart([try point(0, "5", in: "5")], .wide)
    #expect((chart.left...chart.right).contains(chart.x(0)))
    #expect((chart.top...chart.bottom).contains(chart.y(0)))
  }

  @Test(
    "moments are named at beginnings, no more than there is room for",
    arguments: [
      (1, "1 Jan 00:00"), (4, "1 Jan 00:00"), (20, "1 Jan"), (56, "1 Jan"), (400, "Jan 2026"),
      (3_000, "Jan 2026"), (14_600, "2026"),
    ])
  func moments(count: Int, expected: String) {
    let slots = (0..<count).map { first.advanced(by: $0) }
    for countMax in [4, 8] {
      let marks = SlotAxis(slots, countMax: countMax).marks
      #expect(!marks.isEmpty && marks.count <= countMax, "\(count): \(marks)")
    }
    #expect(SlotAxis(slots, countMax: 8).marks.first?.text == expected)
  }

  @Test("days, months and years begin by the clocks of the zone")
  func zones() {
    let slots = (0..<1_200).map { first.advanced(by: $0) }
    let pacific = PageZone("Etc/GMT+8") { _ in -28_800 }
    let marks = SlotAxis(slots, countMax: 8, pacific).marks
    // Its days begin at 08:00 UTC, so that the slot of 12:00 is the first of each.
    #expect(marks.first?.text == "Jan 2026")
    #expect(marks.map { slots[$0.place].start.text }.first == "2026-01-01T12:00:00Z")
    #expect(pacific.text(slots[0]) == "2025-12-31 16:00")
    let utc = SlotAxis(slots, countMax: 8).marks
    #expect(utc.map(\.text) == marks.map(\.text) && utc.first?.place == 0)
  }

  @Test("places are written with a decimal at most")
  func coordinates() {
    #expect([1, 1.25, -0.04, 12.95, -3.5].map(Coordinate.text) == ["1", "1.3", "0", "13", "-3.5"])
  }
}
