/// The end of an asset's bytes in a digest, price and pricedAt with their lengths before them, kept
/// in place so that a price that changes in every slot costs no memory of its own.
struct DigestPriceBytes: Sendable {
  /// Two lengths, a price of "0." and 36 digits at most, and a slot.
  static let countMax = 4 + 38 + 4 + 8

  private(set) var bytes: [54 of UInt8] = .init(repeating: 0)
  /// Of no price and no slot: two lengths of 0.
  private(set) var count = 8

  /// Writes the bytes of a price and its slot's index.
  mutating func set(_ price: Price, _ pricedAtIndex: Int64) {
    // From the last digit to the first; text is as long as the longest price.
    var text: [38 of UInt8] = .init(repeating: 0)
    var start = 38
    var rest = price.mantissa.magnitude
    for _ in 0..<price.scale { Self.prepend(&rest, to: &text, &start) }
    if price.scale > 0 {
      start -= 1
      text[start] = UInt8(ascii: ".")
    }
    repeat { Self.prepend(&rest, to: &text, &start) } while rest > 0
    let length = 38 - start
    bytes[3] = UInt8(truncatingIfNeeded: length)
    for i in 0..<length { bytes[4 + i] = text[start + i] }
    for i in 0..<3 { bytes[4 + length + i] = 0 }
    bytes[7 + length] = 8
    count = length + 16
    setSlot(pricedAtIndex)
  }

  /// Writes the slot's index anew, beside a price that stands.
  mutating func setSlot(_ pricedAtIndex: Int64) {
    let bits = UInt64(bitPattern: pricedAtIndex)
    for i in 0..<8 { bytes[count - 8 + i] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * i)) }
  }

  /// Gives the bytes.
  @inline(__always)
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeBytes(of: bytes) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Writes the bytes of an asset without a price.
  mutating func clear() {
    for i in 0..<8 { bytes[i] = 0 }
    count = 8
  }

  /// Puts the last digit of a number before the text and takes it from the number.
  @inline(__always)
  private static func prepend(
    _ rest: inout UInt64, to text: inout [38 of UInt8], _ start: inout Int
  ) {
    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
    start -= 1
    text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
    rest = quotient
  }
}
