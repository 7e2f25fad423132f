internal import FolioCrypto
internal import FolioDomain
internal import FolioJSON
internal import LMDB

/// How a JSON value is written in the key of an index, so that the order of bytes is that of values.
///
/// By kind first: unset, null, false, true, numbers, text, arrays and objects. No value's bytes begin
/// with those of another.
enum IndexValue {
  private enum Kind: UInt8 {
    case unset, null, `false`, `true`, number, text, other
  }

  /// Appends a value; arrays and objects, which no index tells apart, by their kind alone.
  ///
  /// - Parameters:
  ///   - value: The value; nil is an unset field.
  ///   - textByteCountMax: How many bytes of a text are kept. A longer one is in order by those, and
  ///     told apart by its hash.
  ///   - key: What it is appended to.
  static func append(_ value: JSONValue?, textByteCountMax: Int, to key: inout KeyBuilder) {
    switch value {
    case nil: key.append(Kind.unset.rawValue)
    case .null?: key.append(Kind.null.rawValue)
    case .bool(let flag)?: key.append(flag ? Kind.true.rawValue : Kind.false.rawValue)
    case .integer(let number)?: append(Double(number), to: &key)
    case .double(let number)?: append(number, to: &key)
    case .string(let text)?: append(text, byteCountMax: textByteCountMax, to: &key)
    case .array?, .object?: key.append(Kind.other.rawValue)
    }
  }

  /// Every integer that a document can hold is exact as a double.
  private static func append(_ number: Double, to key: inout KeyBuilder) {
    let bits = (number == 0 ? 0 : number).bitPattern
    key.append(Kind.number.rawValue)
    key.append(bits >> 63 == 1 ? ~bits : bits | 1 << 63)
  }

  /// 0 ends a text, so that 0 within it is written 1 1, and 1 is written 1 2.
  private static func append(_ text: String, byteCountMax: Int, to key: inout KeyBuilder) {
    key.append(Kind.text.rawValue)
    var byteCount = 0
    for byte in text.utf8 {
      guard byteCount + 2 <= byteCountMax else {
        key.append(UInt8(1))
        key.append(UInt8(3))
        let hash = SHA256.hash(ofUTF8: text).words
        key.append(hash.0)
        key.append(hash.1)
        return
      }
      if byte <= 1 {
        key.append(UInt8(1))
        key.append(byte + 1)
        byteCount += 2
      } else {
        key.append(byte)
        byteCount += 1
      }
    }
    key.append(UInt8(0))
  }
}
