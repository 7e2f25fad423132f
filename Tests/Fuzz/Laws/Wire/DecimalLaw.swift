import FolioDomain

extension Law {
  /// Amounts and prices are read as a plain reading of their digits says, and printed in one form.
  public static let decimal = Law("decimal") { text, isPlanted in
    for form in [DecimalForm.wire, .typed, .imported] {
      let plain = PlainReading(text, form)
      let amount = text.withUnsafeBytes { try? Amount(utf8: $0, form: form) }
      let amountText = plain.flatMap { $0.isAmount ? $0.text : nil }
      let printed = amount.map { isPlanted ? $0.text.replacing(".0", with: ".") : $0.text }
      try require(printed == amountText, "\(form) amount \(text.shown): \(printed ?? "refused")")
      if let amount {
        try require(try Amount(wire: amount.text) == amount, "\(amount) is read otherwise")
        try require((-(-amount)) == amount, "\(amount) has two opposites")
      }
      let price = text.withUnsafeBytes { try? Price(utf8: $0, form: form) }
      let priceText = plain.flatMap { $0.isPrice ? $0.text : nil }
      try require(
        price?.text == priceText, "\(form) price \(text.shown): \(price?.text ?? "refused")")
      if let price {
        try require(try Price(wire: price.text) == price, "\(price) is read otherwise")
      }
    }
    try faultsAreWithin(text)
  }

  private static func faultsAreWithin(_ text: [UInt8]) throws {
    let fault: AmountError? = text.withUnsafeBytes { bytes in
      do throws(AmountError) {
        _ = try Amount(utf8: bytes, form: .imported)
        return nil
      } catch {
        return error
      }
    }
    guard case .malformed(let offset) = fault else { return }
    try require((0...text.count).contains(offset), "malformed at \(offset) of \(text.count)")
  }
}

/// A decimal as its digits say, read without any arithmetic on its value.
private struct PlainReading {
  private var isNegative: Bool
  /// The digits, without zeros at either end; none for 0.
  private var digits: ArraySlice<UInt8>
  /// How many of the digits stand before the point; below 0 where zeros stand between.
  private var point: Int

  /// Nil where the text is no decimal in that form.
  init?(_ text: [UInt8], _ form: DecimalForm) {
    var rest = text[...]
    func take(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func takeDigits() -> ArraySlice<UInt8> {
      let taken = rest.prefix { ("0"..."9").contains(Character(Unicode.Scalar($0))) }
      rest = rest.dropFirst(taken.count)
      return taken
    }
    isNegative = take("-")
    let whole = takeDigits()
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
    let hasPoint = take(".")
    let fraction = hasPoint ? takeDigits() : []
    guard !hasPoint || !fraction.isEmpty else { return nil }
    var exponent = 0
    if form == .imported, take("eE") {
      let isBelow = take("-")
      if !isBelow { _ = take("+") }
      let written = takeDigits()
      guard !written.isEmpty else { return nil }
      // Beyond that no limit can be met, whatever the digits.
      let value = Int(String(decoding: written, as: UTF8.self)) ?? .max
      exponent = min(value, 1 << 40) * (isBelow ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    if form == .wire, fraction.last == UInt8(ascii: "0") { return nil }
    let all = Array(whole + fraction)
    digits = all.drop { $0 == UInt8(ascii: "0") }
    point = whole.count + exponent - (all.count - digits.count)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.isEmpty {
      guard !isNegative || form == .imported else { return nil }
      isNegative = false
      point = 0
    }
  }

  var isAmount: Bool { max(point, 0) <= 20 && digits.count - point <= 18 }

  var isPrice: Bool {
    !isNegative && max(digits.count, point) <= 18 && digits.count - point <= 36
  }

  /// The one form; only where the limits of a type are met, which bound it.
  var text: String {
    let sign = isNegative ? "-" : ""
    func zeros(_ count: Int) -> String { String(repeating: "0", count: max(count, 0)) }
    let digits = String(decoding: digits, as: UTF8.self)
    if point <= 0 { return sign + "0" + (digits.isEmpty ? "" : "." + zeros(-point) + digits) }
    let whole = digits.prefix(point) + zeros(point - digits.count)
    return sign + whole + (digits.count > point ? "." + digits.dropFirst(point) : "")
  }
}
