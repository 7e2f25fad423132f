/// An unsigned integer of at most 768 bits: what products are held in until they are rounded.
///
/// An amount of 127 bits times nine prices of 60 bits each has 667.
struct WideMagnitude {
  private static let capacity = 12
  /// The limbs, least significant first; those from `count` on are 0.
  private var limbs: [12 of UInt64] = .init(repeating: 0)
  private var count = 0

  init(_ value: UInt128) {
    limbs[0] = UInt64(truncatingIfNeeded: value)
    limbs[1] = UInt64(truncatingIfNeeded: value >> 64)
    count = 2
    trim()
  }

  /// The magnitude of `value`.
  init(_ value: Int256) {
    let (high, low) = value.magnitudeWords
    limbs[0] = UInt64(truncatingIfNeeded: low)
    limbs[1] = UInt64(truncatingIfNeeded: low >> 64)
    limbs[2] = UInt64(truncatingIfNeeded: high)
    limbs[3] = UInt64(truncatingIfNeeded: high >> 64)
    count = 4
    trim()
  }

  var isZero: Bool { count == 0 }
  private var isOdd: Bool { limbs[0] & 1 == 1 }

  /// The number with a sign, or nil where it needs more than 256 bits.
  func signed(isNegative: Bool) -> Int256? {
    guard count <= 4, limbs[3] >> 63 == 0 else { return nil }
    let low = UInt128(limbs[1]) << 64 | UInt128(limbs[0])
    let high = UInt128(limbs[3]) << 64 | UInt128(limbs[2])
    let value = Int256(high: Int128(high), low: low)
    return isNegative ? -value : value
  }

  private mutating func trim() {
    while count > 0, limbs[count - 1] == 0 { count -= 1 }
  }

  private mutating func increment() {
    var i = 0
    repeat {
      limbs[i] &+= 1
      i += 1
    } while limbs[i - 1] == 0 && i < Self.capacity
    count = max(count, i)
  }

  /// Multiplies and adds.
  ///
  /// False where the result needs more than 768 bits; it is then undefined.
  mutating func multiply(by factor: UInt64, adding addend: UInt64 = 0) -> Bool {
    var carry = addend
    for i in 0..<count {
      let product = limbs[i].multipliedFullWidth(by: factor)
      let (low, overflow) = product.low.addingReportingOverflow(carry)
      limbs[i] = low
      carry = product.high &+ (overflow ? 1 : 0)
    }
    if carry != 0 {
      guard count < Self.capacity else { return false }
      limbs[count] = carry
      count += 1
    }
    trim()
    return true
  }

  /// Multiplies by 10^`exponent`.
  ///
  /// False where the result needs more than 768 bits.
  mutating func multiply(byPowerOfTen exponent: Int) -> Bool {
    var exponent = exponent
    while exponent > 0, count > 0 {
      let step = min(exponent, 19)
      guard multiply(by: DecimalDigits.powersOfTen[step]) else { return false }
      exponent -= step
    }
    return true
  }

  /// Divides, rounding towards 0, and gives the remainder.
  mutating func divide(by divisor: UInt64) -> UInt64 {
    var remainder: UInt64 = 0
    var i = count
    while i > 0 {
      i -= 1
      (limbs[i], remainder) = divisor.dividingFullWidth((remainder, limbs[i]))
    }
    trim()
    return remainder
  }

  /// Divides by 10^`exponent`, rounding towards 0.
  mutating func divide(byPowerOfTen exponent: Int) {
    var exponent = exponent
    while exponent > 0, count > 0 {
      let step = min(exponent, 19)
      _ = divide(by: DecimalDigits.powersOfTen[step])
      exponent -= step
    }
  }

  /// Divides by 10^`exponent`, rounding once, half to even.
  mutating func divideRounding(byPowerOfTen exponent: Int) {
    var exponent = exponent
    var isInexact = false
    while exponent > 19, count > 0 {
      if divide(by: DecimalDigits.powersOfTen[19]) != 0 { isInexact = true }
      exponent -= 19
    }
    guard exponent > 0, exponent <= 19 else { return }
    divideRounding(by: DecimalDigits.powersOfTen[exponent], isInexact: isInexact)
  }

  /// Divides, rounding once, half to even.
  ///
  /// - Parameter isInexact: Whether something below this number was already cut off.
  mutating func divideRounding(by divisor: UInt64, isInexact: Bool = false) {
    let remainder = divide(by: divisor)
    let rest = divisor - remainder
    if remainder > rest || (remainder == rest && (isInexact || isOdd)) { increment() }
  }

  /// Divides by a magnitude of up to 256 bits, rounding once, half to even.
  ///
  /// O(bits).
  mutating func divideRounding(by divisor: WideMagnitude) {
    var quotient = WideMagnitude(0)
    var remainder = WideMagnitude(0)
    for i in stride(from: count - 1, through: 0, by: -1) {
      for bit in stride(from: 63, through: 0, by: -1) {
        remainder.shiftLeft(adding: limbs[i] >> UInt64(bit) & 1)
        let fits = !(remainder < divisor)
        if fits { remainder.subtract(divisor) }
        quotient.shiftLeft(adding: fits ? 1 : 0)
      }
    }
    remainder.shiftLeft(adding: 0)
    if divisor < remainder || (!(remainder < divisor) && quotient.isOdd) { quotient.increment() }
    self = quotient
  }

  private mutating func shiftLeft(adding bit: UInt64) {
    var carry = bit
    for i in 0..<count {
      let next = limbs[i] >> 63
      limbs[i] = limbs[i] << 1 | carry
      carry = next
    }
    if carry != 0, count < Self.capacity {
      limbs[count] = carry
      count += 1
    }
  }

  /// Takes away a number that is not greater.
  private mutating func subtract(_ other: WideMagnitude) {
    var borrow = false
    for i in 0..<count {
      let (first, a) = limbs[i].subtractingReportingOverflow(other.limbs[i])
      let (second, b) = first.subtractingReportingOverflow(borrow ? 1 : 0)
      limbs[i] = second
      borrow = a || b
    }
    trim()
  }

  static func < (a: WideMagnitude, b: WideMagnitude) -> Bool {
    if a.count != b.count { return a.count < b.count }
    var i = a.count
    while i > 0 {
      i -= 1
      if a.limbs[i] != b.limbs[i] { return a.limbs[i] < b.limbs[i] }
    }
    return false
  }
}
