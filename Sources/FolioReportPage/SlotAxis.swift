import FolioDomain

/// The moments that are named below a chart: beginnings of days, months or years.
struct SlotAxis {
  /// The named places of the series, with their texts.
  let marks: [(place: Int, text: String)]

  /// At most so many names, of the finest division that has no more.
  ///
  /// O(slots).
  init(_ slots: [Slot], countMax: Int) {
    let dates = slots.map(CalendarSlot.init)
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

/// A slot's start by the calendar, in UTC.
private struct CalendarSlot {
  let year: Int
  let month: Int
  let day: Int
  let hour: Int

  init(_ slot: Slot) {
    var parts: [Int] = [0]
    for byte in slot.start.text.utf8 {
      if let digit = Int(exactly: byte &- UInt8(ascii: "0")), digit < 10 {
        parts[parts.count - 1] = parts[parts.count - 1] * 10 + digit
      } else {
        parts.append(0)
      }
    }
    // Year, month, day, hour, as the one text form of a time has them.
    parts += repeatElement(0, count: max(0, 4 - parts.count))
    (year, month, day, hour) = (parts[0], parts[1], parts[2], parts[3])
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
    Division(unit: .month, step: 3), Division(unit: .month, step: 6),
    Division(unit: .year, step: 1), Division(unit: .year, step: 2),
    Division(unit: .year, step: 5), Division(unit: .year, step: 10),
  ]

  /// The places at which a part begins.
  func beginnings(in dates: [CalendarSlot]) -> [Int] {
    dates.indices.filter { place in
      let date = dates[place]
      switch unit {
      case .slot: return true
      case .day: return date.hour == 0 && (date.day - 1) % step == 0 && (step == 1 || date.day < 29)
      case .month: return date.hour == 0 && date.day == 1 && (date.month - 1) % step == 0
      case .year:
        return date.hour == 0 && date.day == 1 && date.month == 1 && date.year % step == 0
      }
    }
  }

  func text(_ date: CalendarSlot) -> String {
    let month = Self.months[(date.month + 11) % 12]
    switch unit {
    case .slot: return "\(date.day) \(month) \(date.hour < 10 ? "0" : "")\(date.hour):00"
    case .day: return "\(date.day) \(month)"
    case .month: return "\(month) \(date.year)"
    case .year: return "\(date.year)"
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
