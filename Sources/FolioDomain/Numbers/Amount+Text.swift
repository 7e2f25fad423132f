/// Why text is no amount.
@nonexhaustive
public enum AmountError: DomainError, Hashable {
  /// The text is no decimal; where it stops being one, in bytes.
  case malformed(offset: Int)
  /// The text is a decimal, but not in the one form that is sent and stored.
  case notCanonical
  /// There are more digits before the point than the limit.
  case tooLarge(digitCount: Int, limit: Int)
  /// There are more digits after the point than the limit.
  case tooPrecise(digitCount: Int, limit: Int)

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .malformed: "amountMalformed"
    case .notCanonical: "amountNotCanonical"
    case .tooLarge: "amountTooLarge"
    case .tooPrecise: "amountTooPrecise"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .malformed(let offset): "not an amount, at byte \(offset)"
    case .notCanonical: "an amount with trailing zeros, or -0"
    case .tooLarge(let count, let limit):
      "an amount has at most \(limit) digits before the point, this one has \(count)"
    case .tooPrecise(let count, let limit):
      "an amount has at most \(limit) digits after the point, this one has \(count)"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .malformed: "write digits, with a point before decimal places: 0.5, 12, -3.25"
    case .notCanonical: "write it without trailing zeros, and nothing as 0"
    case .tooLarge, .tooPrecise: "digits beyond the limit are never cut; write fewer"
    }
  }
}

extension Amount {
  /// The most digits before the point.
  public static let integerDigitLimit = 20
  /// The most digits after the point.
  public static let decimalPlaceLimit = 18

  /// The amount of `text`, as a person types it: trailing zeros are allowed.
  public init(_ text: String) throws(AmountError) { try self.init(text, form: .typed) }

  /// The amount of `text`, in the one form that is sent and stored.
  public init(wire text: String) throws(AmountError) { try self.init(text, form: .wire) }

  /// The amount of `text`, read as strictly as `form` says.
  ///
  /// Digits beyond a limit are refused.
  public init(_ text: String, form: DecimalForm) throws(AmountError) {
    var text = text
    let result: Result<Amount, AmountError> = text.withUTF8 { bytes in
      do throws(AmountError) {
        return .success(try Amount(utf8: UnsafeRawBufferPointer(bytes), form: form))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// The amount of UTF-8 text, by default in the one form that is sent and stored.
  ///
  /// - Complexity: O(bytes), without allocation.
  public init(
    utf8 bytes: UnsafeRawBufferPointer, form: DecimalForm = .wire
  ) throws(AmountError) {
    if let plain = PlainDecimal(bytes) {
      let rest = plain.fraction &* DecimalDigits.powersOfTen[Self.decimalPlaceLimit - plain.places]
      let magnitude =
        UInt128(plain.whole) &* UInt128(DecimalDigits.powersOfTen[18]) &+ UInt128(rest)
      self.init(unchecked: plain.isNegative ? -Int128(magnitude) : Int128(magnitude))
      return
    }
    let scan: DecimalScan
    do throws(DecimalSyntaxError) {
      scan = try DecimalScan(bytes, form)
    } catch {
      switch error {
      case .malformed(let offset): throw .malformed(offset: offset)
      case .notCanonical: throw .notCanonical
      }
    }
    guard scan.digitCount > 0 else {
      self = .zero
      return
    }
    guard scan.integerDigitCount <= Self.integerDigitLimit else {
      throw .tooLarge(digitCount: scan.integerDigitCount, limit: Self.integerDigitLimit)
    }
    guard scan.scale <= Self.decimalPlaceLimit else {
      throw .tooPrecise(digitCount: scan.scale, limit: Self.decimalPlaceLimit)
    }
    let magnitude =
      scan.mantissa(bytes) * DecimalDigits.powerOfTen(Self.decimalPlaceLimit - scan.scale)
    self.init(unchecked: scan.isNegative ? -Int128(magnitude) : Int128(magnitude))
  }

  /// The amount in the one text form.
  public var text: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the one text form in UTF-8.
  ///
  /// O(digits).
  public func appendText(to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textByteLimit) { buffer in
      guard let start = buffer.baseAddress else { return }
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: writeText(to: start)))
    }
  }

  /// The most bytes of the text form: a sign, a point, and all digits.
  static let textByteLimit = 2 + integerDigitLimit + decimalPlaceLimit

  /// Writes the text form to memory with room for ``textByteLimit``, and returns how long it is.
  func writeText(to start: UnsafeMutablePointer<UInt8>) -> Int {
    var end = start
    if units < 0 {
      end.pointee = UInt8(ascii: "-")
      end += 1
    }
    let unit = DecimalDigits.powersOfTen[18]
    // Divided word by word: the general division of 128 bits is several times as slow.
    let magnitude = units.magnitude
    let (upper, rest) = UInt64(truncatingIfNeeded: magnitude >> 64).quotientAndRemainder(
      dividingBy: unit)
    let (lower, fraction) = unit.dividingFullWidth((rest, UInt64(truncatingIfNeeded: magnitude)))
    if upper == 0 {
      DecimalDigits.write(lower, to: &end)
    } else {
      // The whole part has up to 20 digits, one more than 64 bits hold for certain.
      let whole = (UInt128(upper) << 64 | UInt128(lower)).quotientAndRemainder(
        dividingBy: UInt128(unit))
      DecimalDigits.write(UInt64(whole.quotient), to: &end)
      DecimalDigits.write(UInt64(whole.remainder), width: 18, to: &end)
    }
    DecimalDigits.writeFraction(fraction, places: 18, to: &end)
    return end - start
  }

  /// The sum, or nil where it is out of range.
  public func adding(_ other: Amount) -> Amount? { (Int256(self) + Int256(other)).amount }

  /// The difference, or nil where it is out of range.
  public func subtracting(_ other: Amount) -> Amount? { (Int256(self) - Int256(other)).amount }

  /// The amount with the other sign.
  public static prefix func - (amount: Amount) -> Amount { Amount(unchecked: -amount.units) }

  /// Whether the amount is 0.
  public var isZero: Bool { units == 0 }
}

extension Amount: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
