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
    // Nearly every text has its bytes in one piece, to be looked at where they are.
    let isHashed: ()? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed != nil { return }
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The text form.
  public var description: String { text }
}

/// Below, at or above 0 as `a` stands before, with or after `b` in the order of their UTF-8 bytes.
func compareBytes(_ a: String, _ b: String) -> Int {
  let order = a.utf8.withContiguousStorageIfAvailable { left in
    b.utf8.withContiguousStorageIfAvailable { right in compareBytes(left, right) }
  }
  if let order, let order { return order }
  var a = a
  var b = b
  return a.withUTF8 { left in b.withUTF8 { right in compareBytes(left, right) } }
}

private func compareBytes(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
) -> Int {
  let common = min(left.count, right.count)
  if let left = left.baseAddress, let right = right.baseAddress, common > 0 {
    let order = memcmp(left, right, common)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
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
