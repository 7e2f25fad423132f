import FolioDomain

/// The moments that are named below a chart: beginnings of days, months or years.
struct SlotAxis {
  /// The named places of the series, with their texts.
  let marks: [(place: Int, text: String)]

  /// At most so many names, of the finest division that has no more.
  ///
  /// O(slots).
  init(_ slots: [Slot], countMax: Int, _ zone: PageZone = .utc) {
    let dates = slots.map { CalendarSlot($0, zone) }
    for division in Division.all {
      let found = division.beginnings(in: dates)
      guard found.count <= countMax, found.count > 1 || dates.count == 1 else { continue }
      marks = found.map { ($0, division.text(dates[$0])) }
      return
    }
    let ends = Set([dates.indices.first, dates.indices.last].compactMap { $0 }).sorted()
    marks = ends.map { ($0, Division.all[0].text(dates[$0])) }
  }
}

/// A slot's start by the calendar and the clocks of a zone.
private struct CalendarSlot {
  let date: CivilDate
  let clock: String
  /// Whether no earlier slot begins on the same day.
  let isFirstOfDay: Bool

  init(_ slot: Slot, _ zone: PageZone) {
    let day = Self.day(of: slot, zone)
    date = CivilDate(daysSinceEpoch: day)
    clock = String(zone.text(slot).suffix(5))
    isFirstOfDay = Self.day(of: slot.advanced(by: -1), zone) != day
  }

  private static func day(of slot: Slot, _ zone: PageZone) -> Int64 {
    let (days, rest) = zone.local(slot.start).milliseconds
      .quotientAndRemainder(dividingBy: 86_400_000)
    return rest < 0 ? days - 1 : days
  }
}

/// A way to divide time: every so many of a unit.
private struct Division {
  enum Unit { case slot, day, month, year }
  var unit: Unit
  var step: Int

  static let all: [Division] = [
    Division(unit: .slot, step: 1), Division(unit: .day, step: 1), Division(unit: .day, step: 2),
    Division(unit: .day, step: 7), Division(unit: .month, step: 1),
    Division(unit: .month, step: 2), Division(unit: .month, step: 3),
    Division(unit: .month, step: 6),
    Division(unit: .year, step: 1), Division(unit: .year, step: 2),
    Division(unit: .year, step: 5), Division(unit: .year, step: 10),
  ]

  /// The places at which a part begins.
  func beginnings(in dates: [CalendarSlot]) -> [Int] {
    dates.indices.filter { place in
      let (date, isFirst) = (dates[place].date, dates[place].isFirstOfDay)
      switch unit {
      case .slot: return true
      case .day: return isFirst && (date.day - 1) % step == 0 && (step == 1 || date.day < 29)
      case .month: return isFirst && date.day == 1 && (date.month - 1) % step == 0
      case .year: return isFirst && date.day == 1 && date.month == 1 && date.year % Int64(step) == 0
      }
    }
  }

  func text(_ slot: CalendarSlot) -> String {
    let date = slot.date
    let month = Self.months[(date.month + 11) % 12]
    switch unit {
    case .slot: return "\(date.day) \(month) \(slot.clock)"
    case .day: return "\(date.day) \(month)"
    case .month: return "\(month) \(date.year)"
    case .year: return "\(date.year)"
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
