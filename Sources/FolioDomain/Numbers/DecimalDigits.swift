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
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      guard let start = buffer.baseAddress else { return }
      var end = start
      write(value, width: width, to: &end)
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: end - start))
    }
  }

  /// Appends `.` and the decimal places that `fraction` x 10^-`places` has, without trailing zeros.
  static func appendFraction(_ fraction: UInt64, places: Int, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 21) { buffer in
      guard let start = buffer.baseAddress else { return }
      var end = start
      writeFraction(fraction, places: places, to: &end)
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: end - start))
    }
  }

  /// Writes the digits of `value`, with zeros before them up to `width`, and moves `end` behind them.
  ///
  /// There is room for 20 digits.
  static func write(_ value: UInt64, width: Int = 1, to end: inout UnsafeMutablePointer<UInt8>) {
    var count = 1
    while count < 20, value >= powersOfTen[count] { count += 1 }
    count = max(count, width)
    var rest = value
    var index = count
    while index > 0 {
      index -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      end[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    end += count
  }

  /// Writes `.` and the decimal places that `fraction` x 10^-`places` has, without trailing zeros, and
  /// moves `end` behind them.
  static func writeFraction(
    _ fraction: UInt64, places: Int, to end: inout UnsafeMutablePointer<UInt8>
  ) {
    guard fraction != 0 else { return }
    end.pointee = UInt8(ascii: ".")
    end += 1
    // Most have few places: the zeros behind them are dropped before they are written.
    var fraction = fraction
    var places = places
    while places > 8,
      case let (rest, zeros) = fraction.quotientAndRemainder(dividingBy: 100_000_000),
      zeros == 0
    {
      fraction = rest
      places -= 8
    }
    write(fraction, width: places, to: &end)
    while end[-1] == UInt8(ascii: "0") { end -= 1 }
  }
}
