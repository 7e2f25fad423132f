/// The digest of all accepted data: the sum, modulo 2^256, of the SHA-256 of each row.
///
/// A sum, so that keeping it costs what changed: a row that changes is taken out as it was and put
/// in as it is. It does not depend on the order of rows.
public struct StateDigest: Hashable, Sendable {
  /// The sum.
  public private(set) var value: Hash256

  /// A digest that was kept.
  public init(_ value: Hash256) { self.value = value }

  /// The digest of no rows.
  public static let empty = StateDigest(.zero)

  /// Puts in a row by its hash.
  ///
  /// - Complexity: O(1).
  public mutating func add(_ row: Hash256) {
    var carry: UInt64 = 0
    value.words.3 = Self.sum(value.words.3, row.words.3, &carry)
    value.words.2 = Self.sum(value.words.2, row.words.2, &carry)
    value.words.1 = Self.sum(value.words.1, row.words.1, &carry)
    value.words.0 = Self.sum(value.words.0, row.words.0, &carry)
  }

  /// Takes out a row by its hash.
  ///
  /// - Complexity: O(1).
  public mutating func remove(_ row: Hash256) {
    // -x is ~x + 1, in 256 bits.
    var carry: UInt64 = 1
    value.words.3 = Self.sum(value.words.3, ~row.words.3, &carry)
    value.words.2 = Self.sum(value.words.2, ~row.words.2, &carry)
    value.words.1 = Self.sum(value.words.1, ~row.words.1, &carry)
    value.words.0 = Self.sum(value.words.0, ~row.words.0, &carry)
  }

  /// Puts in a row.
  public mutating func add<H: HashFunction>(_ row: some StateRow, using function: H.Type) {
    add(row.digest(using: function))
  }

  /// Takes out a row, as it was when it was put in.
  public mutating func remove<H: HashFunction>(_ row: some StateRow, using function: H.Type) {
    remove(row.digest(using: function))
  }

  private static func sum(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (first, overflow) = a.addingReportingOverflow(b)
    let (second, again) = first.addingReportingOverflow(carry)
    carry = overflow || again ? 1 : 0
    return second
  }
}

extension StateDigest: CustomStringConvertible {
  /// The digest as 64 lower-case hexadecimal digits.
  public var description: String { value.text }
}
