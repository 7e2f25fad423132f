/// A day of the proleptic Gregorian calendar, in UTC.
public struct CivilDate: Hashable, Sendable {
  /// The year; 0 is 1 BC.
  public var year: Int64
  /// The month, from 1 to 12.
  public var month: Int
  /// The day of the month, from 1.
  public var day: Int

  /// The day that many days after 1970-01-01.
  ///
  /// O(1).
  public init(daysSinceEpoch days: Int64) {
    // Years begin in March here, so that the leap day is the last one; eras are of 400 years.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day of that year, month and day, or nil where the calendar has no such day.
  ///
  /// Years from
  /// -1,000,000 to 1,000,000.
  public init?(year: Int64, month: Int, day: Int) {
    guard (-1_000_000...1_000_000).contains(year), (1...12).contains(month),
      (1...Self.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// How many days after 1970-01-01 the day is; below 0 before it.
  ///
  /// O(1).
  public var daysSinceEpoch: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func length(ofMonth month: Int, year: Int64) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Appends `2026-03-01`; a year beyond four digits has its sign before it.
  func appendText(to bytes: inout [UInt8]) {
    let isExpanded = !(0...9_999).contains(year)
    if isExpanded { bytes.append(year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")) }
    DecimalDigits.append(year.magnitude, width: isExpanded ? 6 : 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    DecimalDigits.append(UInt64(month), width: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    DecimalDigits.append(UInt64(day), width: 2, to: &bytes)
  }
}

/// Reads the fixed-width parts of a time's text.
struct TimeTextReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  /// The number that exactly `width` digits make.
  mutating func digits(_ width: Int) -> Int? {
    var value = 0
    for _ in 0..<width {
      guard offset < bytes.count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10
      else { return nil }
      value = value * 10 + Int(digit)
      offset += 1
    }
    return value
  }

  /// Whether `byte` comes next; it is then passed.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: byte) else { return false }
    offset += 1
    return true
  }

  /// `2026-03-01`; nil with the offset at what is wrong where it is no day.
  mutating func date() -> CivilDate? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2)
    else { return nil }
    return CivilDate(year: Int64(year), month: month, day: day)
  }
}
