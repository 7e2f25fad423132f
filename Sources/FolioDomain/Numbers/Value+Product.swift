extension Value {
  /// amount x price in three limbs, for the prices that are met: those of up to 19 decimal places.
  ///
  /// It gives what the general product gives, several times as fast; nil leaves it to that.
  @inline(__always)
  static func shortProduct(_ amount: Amount, _ price: Price) -> Int256? {
    guard price.scale <= 19 else { return nil }
    let magnitude = amount.units.magnitude
    let factor = price.mantissa.magnitude
    let first = UInt64(truncatingIfNeeded: magnitude).multipliedFullWidth(by: factor)
    let second = UInt64(truncatingIfNeeded: magnitude >> 64).multipliedFullWidth(by: factor)
    let (middle, carry) = second.low.addingReportingOverflow(first.high)
    // 63 bits times 60: the upper half of the second product is far from full.
    var limbs = (second.high &+ (carry ? 1 : 0), middle, first.low)
    if price.scale > 0 {
      let divisor = DecimalDigits.powersOfTen[Int(price.scale)]
      var remainder: UInt64 = 0
      // Dividing a limb below the divisor moves it whole into the remainder.
      if limbs.0 != 0 { (limbs.0, remainder) = limbs.0.quotientAndRemainder(dividingBy: divisor) }
      if remainder == 0, limbs.1 < divisor {
        (limbs.1, remainder) = (0, limbs.1)
      } else {
        (limbs.1, remainder) = divisor.dividingFullWidth((remainder, limbs.1))
      }
      (limbs.2, remainder) = divisor.dividingFullWidth((remainder, limbs.2))
      let rest = divisor - remainder
      if remainder > rest || (remainder == rest && limbs.2 & 1 == 1) {
        limbs.2 &+= 1
        if limbs.2 == 0 { limbs.1 &+= 1 }
        if limbs.2 == 0, limbs.1 == 0 { limbs.0 &+= 1 }
      }
    }
    let low = UInt128(limbs.1) << 64 | UInt128(limbs.2)
    let product = Int256(high: Int128(limbs.0), low: low)
    return amount.units < 0 ? -product : product
  }
}
