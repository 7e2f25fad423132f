/// Text that is an identity: equal, ordered and hashed by its UTF-8 bytes.
///
/// Swift's own String equality merges Unicode normal forms; two ids that differ in bytes would be
/// one.
public protocol ByteText: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text.
  var text: String { get }
}

extension ByteText {
  /// Whether both are the same.
  public static func == (a: Self, b: Self) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  /// Whether `a` comes before `b`.
  public static func < (a: Self, b: Self) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The text form.
  public var description: String { text }
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
