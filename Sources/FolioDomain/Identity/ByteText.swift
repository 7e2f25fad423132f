#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Text that is an identity: equal, ordered and hashed by its UTF-8 bytes.
///
/// Swift's own String equality merges Unicode normal forms; two ids that differ in bytes would be
/// one.
public protocol ByteText: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text.
  var text: String { get }
}

extension ByteText {
  /// Whether both have the same bytes.
  public static func == (a: Self, b: Self) -> Bool {
    a.text.utf8.count == b.text.utf8.count && compareBytes(a.text, b.text) == 0
  }

  /// Whether `a` comes before `b` in byte order.
  public static func < (a: Self, b: Self) -> Bool {
    compareBytes(a.text, b.text) < 0
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    withBytes(text) { hasher.combine(bytes: $0) }
  }

  /// The text form.
  public var description: String { text }
}

/// Below, at or above 0 as `a` stands before, with or after `b` in the order of their UTF-8 bytes.
func compareBytes(_ a: String, _ b: String) -> Int {
  withBytes(a) { left in
    withBytes(b) { right in
      let common = min(left.count, right.count)
      if let left = left.baseAddress, let right = right.baseAddress, common > 0 {
        let order = memcmp(left, right, common)
        if order != 0 { return Int(order) }
      }
      return left.count - right.count
    }
  }
}

/// Calls `body` with a text's UTF-8 bytes.
///
/// Where they lie in a row already, as in nearly every text, the text is neither copied nor retained.
@inline(__always)
func withBytes<R>(_ text: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
  let found = text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
  if let found { return found }
  var copy = text
  return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
}

extension AssetType: ByteText {}
extension AssetID: ByteText {}
extension CategoryKey: ByteText {}
extension CategorySpelling: ByteText {}
extension CollectionName: ByteText {}
extension FieldName: ByteText {}

extension AssetKey: Comparable {
  /// By type, then by id, in byte order.
  public static func < (a: AssetKey, b: AssetKey) -> Bool {
    a.type == b.type ? a.id < b.id : a.type < b.type
  }
}
