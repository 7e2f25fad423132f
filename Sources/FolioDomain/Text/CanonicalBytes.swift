/// Bytes made for hashing: fixed-width numbers, most significant byte first, and texts with their
/// length before them, so that no two rows have the same bytes.
public struct CanonicalBytes: Sendable {
  /// What was appended so far.
  public internal(set) var bytes: [UInt8] = []

  /// Nothing yet.
  public init() {}

  /// Nothing yet, with memory for `capacity` bytes.
  public init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Drops what was appended and keeps the memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends an integer of fixed width, most significant byte first.
  public mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a text's UTF-8 bytes, behind their number in four bytes.
  public mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends 32 bytes.
  public mutating func append(_ hash: Hash256) { hash.append(to: &bytes) }

  /// Appends 256 bits in two's complement, most significant byte first.
  public mutating func append(_ number: Int256) {
    append(number.high)
    append(number.low)
  }

  /// The hash of what was appended.
  public func hash<H: HashFunction>(using function: H.Type) -> Hash256 {
    bytes.withUnsafeBytes { H.hash(of: $0) }
  }
}
