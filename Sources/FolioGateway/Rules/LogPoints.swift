import FolioDomain

/// The places in a client's log that it names to a server, so that the newest common one is found.
enum LogPoints {
  /// How many places an `auth` may name.
  static let limit = 16

  /// The sequence numbers to name of a log read up to `last`, whose hashes are known from `first`.
  ///
  /// The newest is `last`; behind it the distances grow by a constant factor, the smallest power
  /// of two with which `limit` places reach `first`. Newest first, each once, at most `limit`.
  static func sequences(first: UInt64, last: UInt64) -> [UInt64] {
    guard last > 0, first <= last else { return [] }
    let first = max(first, 1)
    let span = last - first
    let shift = factorShift(span: span)
    var sequences = [last]
    var distance: UInt64 = 1
    while sequences.count < limit - 1, distance < span {
      sequences.append(last - distance)
      distance <<= shift
    }
    if span > 0 { sequences.append(first) }
    return sequences
  }

  /// The binary logarithm of the factor between two distances.
  private static func factorShift(span: UInt64) -> UInt64 {
    let bits = UInt64(UInt64.bitWidth - span.leadingZeroBitCount)
    let steps = UInt64(limit - 2)
    return max(1, (bits + steps - 1) / steps)
  }
}
