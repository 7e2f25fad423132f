import FolioArguments
import FolioDomain
import FolioStore
import FolioSystem

/// How a person wants values and times to be shown.
///
/// It changes nothing that is stored.
struct Settings {
  /// The settings there are, by the names they are kept under.
  enum Name: String, CaseIterable {
    case currency, zone, digits

    init(_ text: String) throws {
      guard let name = Name(rawValue: text) else {
        throw Failure.usage(
          "there is no setting '\(text)'",
          hint: "one of \(Name.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      self = name
    }

    /// What it does, and what holds where it was not set.
    var summary: String {
      switch self {
      case .currency: "the currency of values shown; without it, that of the prices"
      case .zone: "the zone of times shown; without it, UTC"
      case .digits: "digits after the point of values shown; without it, the currency's own"
      }
    }
  }

  /// The currency that values are shown in; nil is that of the prices.
  var currency: AssetKey?
  /// The zone that times are shown in; nil is UTC.
  var zone: String?
  /// The digits after the point that values are shown with; nil is the currency's own.
  var digits: Int?

  /// Checks a value that was typed, and gives it as it is kept.
  static func checked(_ text: String, for name: Name) throws -> String {
    switch name {
    case .currency: return try currency(text).id.text
    case .zone:
      guard LocalTime.use(zone: text) else {
        throw bad("the system knows no zone '\(text)'", hint: "like Europe/Berlin, or UTC")
      }
      return text
    case .digits: return "\(try digits(text))"
    }
  }

  private static func currency(_ text: String) throws -> AssetKey {
    AssetKey(type: AssetType(unchecked: "forex"), id: try AssetID(validating: text))
  }

  private static func digits(_ text: String) throws -> Int {
    guard let digits = Int(text), (0...CurrencyStyle.placesMax).contains(digits) else {
      throw bad(
        "digits are a whole number from 0 to \(CurrencyStyle.placesMax), not '\(text)'",
        hint: "like 2")
    }
    return digits
  }

  private static func bad(_ message: String, hint: String) -> Failure {
    Failure(code: "badSetting", message: message, hint: hint, exit: .data)
  }

  /// The settings that a store keeps.
  init(_ state: borrowing StoreReadTransaction) throws {
    func text(_ name: Name) throws -> String? {
      try state.setting(name.rawValue).map { String(decoding: $0, as: UTF8.self) }
    }
    currency = try text(.currency).map { try Self.currency($0) }
    zone = try text(.zone)
    digits = try text(.digits).map { try Self.digits($0) }
  }
}

/// How values and times are shown, as the settings say and the prices allow.
struct Display {
  /// The currency that values are shown in.
  let style: CurrencyStyle
  /// The same of the prices' currency, for values that cannot be converted.
  private let baseStyle: CurrencyStyle
  /// The currency that values are converted into; nil where that of the prices is shown.
  let currency: AssetKey?
  /// Its present price; nil where values are not converted.
  private let rate: Quote?
  /// The currency that was asked for and has no price.
  let unpriced: AssetKey?
  private let hasZone: Bool

  /// The title of a column of prices, which are always in the prices' own currency.
  var priceTitle: String { currency == nil ? "price" : "price in \(baseStyle.code)" }

  /// The code of the currency that values are shown in; nil before a server has told that of prices.
  var currencyCode: String? { style.code.isEmpty ? nil : style.code }

  /// What a store's settings ask for, at present prices.
  init(_ state: borrowing StoreReadTransaction) throws {
    let settings = try Settings(state)
    let base = try state.status().baseCurrency
    hasZone = settings.zone.map { LocalTime.use(zone: $0) } ?? false
    baseStyle = CurrencyStyle(code: base, places: settings.digits)
    guard let wanted = settings.currency, wanted.id.text != base else {
      style = baseStyle
      (currency, rate, unpriced) = (nil, nil, nil)
      return
    }
    rate = try state.presentQuote(of: wanted)
    (currency, unpriced) = rate == nil ? (nil, wanted) : (wanted, nil)
    style =
      rate == nil ? baseStyle : CurrencyStyle(code: wanted.id.text, places: settings.digits)
  }

  /// A value of the prices' currency in the one that is shown; nil where it is out of range.
  func value(_ value: Value) -> Value? {
    guard let rate else { return value }
    return value.converted(by: rate)
  }

  /// A value of the prices' currency, as it is shown.
  func text(_ value: Value?) -> String {
    guard let value else { return "-" }
    return self.value(value)?.displayText(in: style) ?? "out of range"
  }

  /// A value in a slot in which the currency that is shown has that rate.
  func shown(_ value: Value?, at rate: Quote?) -> ShownValue {
    guard let value else { return ShownValue(value: nil, style: style) }
    guard currency != nil else { return ShownValue(value: value, style: style) }
    guard let rate else { return ShownValue(value: value, style: baseStyle) }
    return ShownValue(value: value.converted(by: rate), style: style, isOutOfRange: true)
  }

  /// A time, as it is shown.
  func text(_ time: Timestamp) -> String {
    if hasZone { return LocalTime.text(of: time) }
    // To the second, as a zone's clocks show it.
    let seconds = Timestamp(
      milliseconds: time.milliseconds - (time.milliseconds % 1_000 + 1_000) % 1_000)
    return seconds.text
  }
}

/// A value as it is shown: of a past slot, in the currency that had a rate there.
struct ShownValue {
  /// What is shown; nil where the value is not known, or out of range.
  let value: Value?
  let style: CurrencyStyle
  /// Whether a value that is nil was there, and could not be converted.
  var isOutOfRange = false

  /// The code of the currency; nil before a server has told that of prices.
  var currencyCode: String? { style.code.isEmpty ? nil : style.code }
  var text: String { value?.displayText(in: style) ?? (isOutOfRange ? "out of range" : "-") }
}

extension Session {
  /// Says that values are not shown in the currency that was set.
  func noteUnpriced(_ display: Display) {
    guard let currency = display.unpriced else { return }
    console.note("hint: \(currency.id.text) has no price: values are shown in another currency")
  }
}
