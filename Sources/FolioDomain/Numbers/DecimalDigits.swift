/// Powers of ten, and writing of digits.
enum DecimalDigits {
  /// 10^0 to 10^19, all that fit in 64 bits.
  static let powersOfTen: [20 of UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// 10^`exponent`, from 0 to 38.
  static func powerOfTen(_ exponent: Int) -> UInt128 {
    exponent <= 19
      ? UInt128(powersOfTen[exponent])
      : UInt128(powersOfTen[19]) * UInt128(powersOfTen[exponent - 19])
  }

  /// Appends the digits of `value`, with zeros before them up to `width`.
  static func append(_ value: UInt64, width: Int = 1, to bytes: inout [UInt8]) {
    var digits: [20 of UInt8] = .init(repeating: UInt8(ascii: "0"))
    var value = value
    var start = 20
    while value > 0 {
      start -= 1
      let (quotient, digit) = value.quotientAndRemainder(dividingBy: 10)
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      value = quotient
    }
    for i in min(start, 20 - width)..<20 { bytes.append(digits[i]) }
  }

  /// Appends `.` and the decimal places that `fraction` x 10^-`places` has, without trailing zeros.
  static func appendFraction(_ fraction: UInt64, places: Int, to bytes: inout [UInt8]) {
    guard fraction != 0 else { return }
    bytes.append(UInt8(ascii: "."))
    append(fraction, width: places, to: &bytes)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }
}
