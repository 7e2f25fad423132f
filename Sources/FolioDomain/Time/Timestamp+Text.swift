/// Why text is no time or no slot.
@nonexhaustive
public enum TimeError: DomainError, Hashable {
  /// The text is no moment; where it stops being one, in bytes.
  case timeMalformed(offset: Int)
  /// The moment is given more exactly than in milliseconds.
  case timeTooPrecise
  /// The text is no slot; where it stops being one, in bytes.
  case slotMalformed(offset: Int)
  /// The hour is none at which a slot starts.
  case slotHour

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .timeMalformed: "timeMalformed"
    case .timeTooPrecise: "timeTooPrecise"
    case .slotMalformed: "slotMalformed"
    case .slotHour: "slotHour"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .timeMalformed(let offset): "not a time, at byte \(offset)"
    case .timeTooPrecise: "a time has at most 3 digits of a second's fraction"
    case .slotMalformed(let offset): "not a slot, at byte \(offset)"
    case .slotHour: "a slot starts at hour 00, 06, 12 or 18 of UTC"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .timeMalformed, .timeTooPrecise:
      "write UTC, with years from 0000 to 9999: 2026-03-01T07:00:00Z"
    case .slotMalformed, .slotHour: "write a slot by its start in UTC: 2026-03-01T06Z"
    }
  }
}

extension Timestamp {
  /// The moment of `text`: ISO 8601 in UTC, `2026-03-01T07:00:00Z`, with or without milliseconds.
  ///
  /// There are no leap seconds, as in Unix time. Other offsets than `Z` are refused.
  public init(_ text: String) throws(TimeError) {
    var text = text
    let result: Result<Timestamp, TimeError> = text.withUTF8 { bytes in
      do throws(TimeError) {
        return .success(try Timestamp(utf8: UnsafeRawBufferPointer(bytes)))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// The moment of UTF-8 text.
  ///
  /// O(bytes), without allocation.
  public init(utf8 bytes: UnsafeRawBufferPointer) throws(TimeError) {
    var reader = TimeTextReader(bytes.assumingMemoryBound(to: UInt8.self))
    guard let date = reader.date(), reader.skip("T"),
      let hour = reader.digits(2), hour < 24, reader.skip(":"),
      let minute = reader.digits(2), minute < 60, reader.skip(":"),
      let second = reader.digits(2), second < 60
    else { throw .timeMalformed(offset: reader.offset) }
    var fraction = 0
    if reader.skip(".") {
      guard let digit = reader.digits(1) else { throw .timeMalformed(offset: reader.offset) }
      fraction = digit * 100
      var weight = 10
      while let digit = reader.digits(1) {
        if weight == 0, digit != 0 { throw .timeTooPrecise }
        fraction += digit * weight
        weight /= 10
      }
    }
    guard reader.skip("Z"), reader.isAtEnd else { throw .timeMalformed(offset: reader.offset) }
    let seconds = date.daysSinceEpoch * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    self.init(milliseconds: seconds * 1_000 + Int64(fraction))
  }

  /// The moment as ISO 8601 in UTC; milliseconds are written where there are any.
  public var text: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text in UTF-8.
  ///
  /// O(1).
  public func appendText(to bytes: inout [UInt8]) {
    let (days, rest) = daysAndRest
    CivilDate(daysSinceEpoch: days).appendText(to: &bytes)
    let seconds = rest / 1_000
    bytes.append(UInt8(ascii: "T"))
    DecimalDigits.append(seconds / 3_600, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    DecimalDigits.append(seconds / 60 % 60, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    DecimalDigits.append(seconds % 60, width: 2, to: &bytes)
    if rest % 1_000 != 0 {
      bytes.append(UInt8(ascii: "."))
      DecimalDigits.append(rest % 1_000, width: 3, to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// The day in UTC.
  public var date: CivilDate { CivilDate(daysSinceEpoch: daysAndRest.days) }

  /// The year in UTC: which part of a log an entry accepted then belongs to.
  public var year: Int64 { date.year }

  /// The moment `milliseconds` later, or the last or first one there is.
  public func adding(milliseconds delta: Int64) -> Timestamp {
    let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
    return Timestamp(milliseconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }

  private var daysAndRest: (days: Int64, rest: UInt64) {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    return remainder < 0
      ? (quotient - 1, UInt64(remainder + 86_400_000)) : (quotient, UInt64(remainder))
  }
}

extension Timestamp: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
