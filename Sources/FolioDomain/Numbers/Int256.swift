/// A signed integer of 256 bits: what sums of amounts and of values are kept in.
public struct Int256: Hashable, Sendable {
  /// The upper half, with the sign.
  public var high: Int128
  /// The lower half.
  public var low: UInt128

  /// high x 2^128 + low.
  public init(high: Int128, low: UInt128) {
    self.high = high
    self.low = low
  }

  /// The same number in 256 bits.
  public init(_ value: Int128) {
    high = value < 0 ? -1 : 0
    low = UInt128(truncatingIfNeeded: value)
  }

  /// Nothing.
  public static let zero = Int256(high: 0, low: 0)
}
