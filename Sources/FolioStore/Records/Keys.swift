internal import FolioDomain
internal import LMDB

/// How the keys of the spaces are laid out.
///
/// Text ends with a NUL, numbers are big-endian with their sign flipped, so that the order of keys is
/// the order of what they stand for.
enum Keys {
  static func asset(_ asset: AssetKey) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder(reserving: 48)
    try key.append(asset)
    return key
  }

  /// Calls `body` with the key of an asset, which has no memory but the stack's.
  @inline(__always)
  static func withAsset<R>(_ asset: AssetKey, _ body: (RawSpan) throws -> R) throws -> R {
    let (type, id) = (asset.type.text.utf8, asset.id.text.utf8)
    let byteCount = type.count + id.count + 2
    return try unsafe withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 1) { key in
      unsafe write(type, to: UnsafeMutableRawBufferPointer(rebasing: key[..<(type.count + 1)]))
      unsafe write(id, to: UnsafeMutableRawBufferPointer(rebasing: key[(type.count + 1)...]))
      let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(key))
      // The two that end the texts are all there are.
      guard span.zeroCount == 2 else { throw StorageError.keyTextHasNUL }
      return try body(span)
    }
  }

  /// Writes a text, and a NUL into the byte that is left.
  @inline(__always)
  private static func write(_ text: String.UTF8View, to place: UnsafeMutableRawBufferPointer) {
    let isWritten: ()? = unsafe text.withContiguousStorageIfAvailable {
      unsafe place.copyMemory(from: UnsafeRawBufferPointer($0))
    }
    if isWritten == nil { unsafe place.copyBytes(from: text) }
    unsafe place[place.count - 1] = 0
  }

  static func type(_ type: AssetType) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder(reserving: 16)
    try key.append(text: type.text)
    return key
  }

  /// Of `categories`: an asset in a category.
  static func member(_ asset: AssetKey, of category: CategoryKey) throws(StorageError)
    -> KeyBuilder
  {
    var key = KeyBuilder(reserving: 64)
    try key.append(text: category.text)
    try key.append(asset)
    return key
  }

  /// Of `history`: what happened to an asset within a slot.
  static func history(_ slot: Slot, _ asset: AssetKey) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder(reserving: 56)
    key.append(slot.index)
    try key.append(asset)
    return key
  }

  /// Of `historyByAsset`.
  static func history(_ asset: AssetKey, _ slot: Slot) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder(reserving: 56)
    try key.append(asset)
    key.append(slot.index)
    return key
  }

  static func slot(_ slot: Slot) -> KeyBuilder {
    var key = KeyBuilder(reserving: 8)
    key.append(slot.index)
    return key
  }

  static func sequence(_ sequence: UInt64) -> KeyBuilder {
    var key = KeyBuilder(reserving: 8)
    key.append(sequence)
    return key
  }

  static func bits(_ value: UInt128) -> KeyBuilder {
    var key = KeyBuilder(reserving: 16)
    key.append(value)
    return key
  }

  /// Of `outboxByAsset`.
  static func pending(_ asset: AssetKey, _ sequence: UInt64) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder(reserving: 56)
    try key.append(asset)
    key.append(sequence)
    return key
  }

  static func document(_ document: DocumentKey) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder(reserving: 40)
    try key.append(text: document.collection.text)
    key.append(document.id.value)
    return key
  }

  /// Of `outboxByDocument`.
  static func pending(_ document: DocumentKey, _ sequence: UInt64) throws(StorageError)
    -> KeyBuilder
  {
    var key = try Keys.document(document)
    key.append(sequence)
    return key
  }

  static func number(_ number: UInt32) -> KeyBuilder {
    var key = KeyBuilder(reserving: 4)
    key.append(number)
    return key
  }
}

extension RawSpan {
  fileprivate var zeroCount: Int {
    var count = 0
    for offset in byteOffsets {
      if unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) == 0 { count += 1 }
    }
    return count
  }
}

extension KeyBuilder {
  mutating func append(_ asset: AssetKey) throws(StorageError) {
    try append(text: asset.type.text)
    try append(text: asset.id.text)
  }

  /// The keys that begin with this one.
  var prefix: KeyRange { .prefix(bytes) }
}

extension KeyReader {
  mutating func readAsset() throws(StorageError) -> AssetKey {
    let type = AssetType(unchecked: try readText())
    return AssetKey(type: type, id: AssetID(unchecked: try readText()))
  }

  mutating func readSlot() throws(StorageError) -> Slot {
    Slot(index: try readInt64())
  }
}

extension KeyRange {
  /// The keys of slots, or of (slot, ...), within a range of slots.
  static func slots(_ slots: ClosedRange<Slot>) -> KeyRange {
    .from(Keys.slot(slots.lowerBound).bytes, upTo: Keys.slot(slots.upperBound.next).bytes)
  }

  /// The keys of slots, or of (slot, ...), from a slot on.
  static func slots(from slot: Slot) -> KeyRange {
    .from(Keys.slot(slot).bytes)
  }
}

extension Slot {
  var next: Slot { Slot(index: index + 1) }
  var previous: Slot { Slot(index: index - 1) }
}
