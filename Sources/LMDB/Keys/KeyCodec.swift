/// How values of a type are written as keys.
///
/// The law of every codec: *a* is below *b* exactly where the bytes of *a* are below the bytes of
/// *b*, and what is written is read back. It also holds for codecs written one behind the other,
/// because none writes bytes that another key of it begins with.
public protocol KeyCodec<Key>: Sendable {
  /// What is written.
  associatedtype Key

  /// Appends a key to a builder.
  static func append(_ key: Key, to builder: inout KeyBuilder) throws(StorageError)

  /// Reads a key from where a reader stands.
  static func read(_ reader: inout KeyReader) throws(StorageError) -> Key
}

extension KeyCodec {
  /// The bytes of a key.
  ///
  /// - Throws: what the codec throws for a key it cannot write.
  public static func bytes(_ key: Key) throws(StorageError) -> [UInt8] {
    var builder = KeyBuilder()
    try append(key, to: &builder)
    return builder.bytes
  }

  /// The key that all these bytes are.
  ///
  /// - Throws: ``StorageError/keyUnreadable(byteOffset:)`` where they are not one.
  public static func key(_ bytes: RawSpan) throws(StorageError) -> Key {
    var reader = KeyReader(bytes)
    let key = try read(&reader)
    try reader.finish()
    return key
  }
}

/// Unsigned numbers of 32 bits.
public enum UInt32Key: KeyCodec {
  /// Appends a key.
  public static func append(_ key: UInt32, to builder: inout KeyBuilder) {
    builder.append(key)
  }

  /// Reads a key.
  public static func read(_ reader: inout KeyReader) throws(StorageError) -> UInt32 {
    try reader.readUInt32()
  }
}

/// Unsigned numbers of 64 bits.
public enum UInt64Key: KeyCodec {
  /// Appends a key.
  public static func append(_ key: UInt64, to builder: inout KeyBuilder) {
    builder.append(key)
  }

  /// Reads a key.
  public static func read(_ reader: inout KeyReader) throws(StorageError) -> UInt64 {
    try reader.readUInt64()
  }
}

/// Unsigned numbers of 128 bits.
public enum UInt128Key: KeyCodec {
  /// Appends a key.
  public static func append(_ key: UInt128, to builder: inout KeyBuilder) {
    builder.append(key)
  }

  /// Reads a key.
  public static func read(_ reader: inout KeyReader) throws(StorageError) -> UInt128 {
    try reader.readUInt128()
  }
}

/// Signed numbers of 64 bits.
public enum Int64Key: KeyCodec {
  /// Appends a key.
  public static func append(_ key: Int64, to builder: inout KeyBuilder) {
    builder.append(key)
  }

  /// Reads a key.
  public static func read(_ reader: inout KeyReader) throws(StorageError) -> Int64 {
    try reader.readInt64()
  }
}

/// Text without NUL, in the order of its UTF-8.
public enum TextKey: KeyCodec {
  /// Appends a key.
  public static func append(_ key: String, to builder: inout KeyBuilder) throws(StorageError) {
    try builder.append(text: key)
  }

  /// Reads a key.
  public static func read(_ reader: inout KeyReader) throws(StorageError) -> String {
    try reader.readText()
  }
}

/// Two keys, the first one deciding.
public enum PairKey<First: KeyCodec, Second: KeyCodec>: KeyCodec {
  /// Appends both keys.
  public static func append(_ key: (First.Key, Second.Key), to builder: inout KeyBuilder)
    throws(StorageError)
  {
    try First.append(key.0, to: &builder)
    try Second.append(key.1, to: &builder)
  }

  /// Reads both keys.
  public static func read(_ reader: inout KeyReader) throws(StorageError)
    -> (First.Key, Second.Key)
  {
    let first = try First.read(&reader)
    return (first, try Second.read(&reader))
  }
}
