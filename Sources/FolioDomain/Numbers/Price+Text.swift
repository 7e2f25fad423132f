/// Why text is no price.
@nonexhaustive
public enum PriceError: DomainError, Hashable {
  /// The text is no decimal; where it stops being one, in bytes.
  case malformed(offset: Int)
  /// The text is a decimal, but not in the one form that is sent and stored.
  case notCanonical
  /// The price is below 0.
  case negative
  /// There are more digits than the limit, zeros before the point counted.
  case tooManyDigits(digitCount: Int, limit: Int)
  /// There are more digits after the point than the limit.
  case tooPrecise(digitCount: Int, limit: Int)

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .malformed: "priceMalformed"
    case .notCanonical: "priceNotCanonical"
    case .negative: "priceNegative"
    case .tooManyDigits: "priceTooManyDigits"
    case .tooPrecise: "priceTooPrecise"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .malformed(let offset): "not a price, at byte \(offset)"
    case .notCanonical: "a price with trailing zeros, or -0"
    case .negative: "a price is not below 0"
    case .tooManyDigits(let count, let limit):
      "a price has at most \(limit) significant digits, this one has \(count)"
    case .tooPrecise(let count, let limit):
      "a price has at most \(limit) digits after the point, this one has \(count)"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .malformed: "write digits, with a point before decimal places: 67012.5"
    case .notCanonical: "write it without trailing zeros, and nothing as 0"
    case .negative: "leave out a price that is not known"
    case .tooManyDigits, .tooPrecise: "digits beyond the limit are never cut; write fewer"
    }
  }
}

extension Price {
  /// The most significant digits.
  public static let digitLimit = 18
  /// The most digits after the point.
  public static let decimalPlaceLimit = 36

  /// 1: the price of the base currency in itself.
  public static let one = Price(unchecked: 1, scale: 0)
  /// 0.
  public static let zero = Price(unchecked: 0, scale: 0)

  /// The price of `text`, as a person types it: trailing zeros are allowed.
  public init(_ text: String) throws(PriceError) { try self.init(text, form: .typed) }

  /// The price of `text`, in the one form that is sent and stored.
  public init(wire text: String) throws(PriceError) { try self.init(text, form: .wire) }

  /// The price of `text`, read as strictly as `form` says.
  ///
  /// Digits beyond a limit are refused.
  public init(_ text: String, form: DecimalForm) throws(PriceError) {
    var text = text
    let result: Result<Price, PriceError> = text.withUTF8 { bytes in
      do throws(PriceError) {
        return .success(try Price(utf8: UnsafeRawBufferPointer(bytes), form: form))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// The price of UTF-8 text, by default in the one form that is sent and stored.
  ///
  /// - Complexity: O(bytes), without allocation.
  public init(
    utf8 bytes: UnsafeRawBufferPointer, form: DecimalForm = .wire
  ) throws(PriceError) {
    if let plain = PlainDecimal(bytes), !plain.isNegative,
      plain.whole < DecimalDigits.powersOfTen[Self.digitLimit - plain.places]
    {
      let digits = plain.whole &* DecimalDigits.powersOfTen[plain.places] &+ plain.fraction
      self.init(unchecked: Int64(digits), scale: UInt8(plain.places))
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
    guard !scan.isNegative else { throw .negative }
    // Zeros before the point count: 10^18 is kept as its digits, not as 1 with an exponent.
    let digitCount = max(scan.digitCount, scan.integerDigitCount)
    guard digitCount <= Self.digitLimit else {
      throw .tooManyDigits(digitCount: digitCount, limit: Self.digitLimit)
    }
    guard scan.scale <= Self.decimalPlaceLimit else {
      throw .tooPrecise(digitCount: scan.scale, limit: Self.decimalPlaceLimit)
    }
    let digits = UInt64(scan.mantissa(bytes)) * DecimalDigits.powersOfTen[max(0, -scan.scale)]
    self.init(unchecked: Int64(digits), scale: UInt8(max(0, scan.scale)))
  }

  /// The price in the one text form.
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

  /// The most bytes of the text form: a zero, a point and all decimal places.
  package static let textByteLimit = 2 + decimalPlaceLimit

  /// Writes the text form to memory with room for ``textByteLimit``, and returns how long it is.
  package func writeText(to start: UnsafeMutablePointer<UInt8>) -> Int {
    var end = start
    let digits = mantissa.magnitude
    if scale == 0 {
      DecimalDigits.write(digits, to: &end)
    } else if scale < 19 {
      let unit = DecimalDigits.powersOfTen[Int(scale)]
      let (whole, fraction) = digits.quotientAndRemainder(dividingBy: unit)
      DecimalDigits.write(whole, to: &end)
      DecimalDigits.writeFraction(fraction, places: Int(scale), to: &end)
    } else {
      // All digits stand after the point, behind zeros.
      end[0] = UInt8(ascii: "0")
      end[1] = UInt8(ascii: ".")
      end += 2
      for _ in 18..<Int(scale) {
        end.pointee = UInt8(ascii: "0")
        end += 1
      }
      DecimalDigits.write(digits, width: 18, to: &end)
    }
    return end - start
  }

  /// Whether the price is 0.
  public var isZero: Bool { mantissa == 0 }
}

extension Price: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Price, b: Price) -> Bool {
    var left = WideMagnitude(UInt128(a.mantissa.magnitude))
    var right = WideMagnitude(UInt128(b.mantissa.magnitude))
    // 60 bits times 10^36 fit twice over; neither product can fail.
    _ = left.multiply(byPowerOfTen: max(0, Int(b.scale) - Int(a.scale)))
    _ = right.multiply(byPowerOfTen: max(0, Int(a.scale) - Int(b.scale)))
    return left < right
  }
}

extension Price: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
