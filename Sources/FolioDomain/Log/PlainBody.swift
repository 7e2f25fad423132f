#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads bodies of the shape that nearly all have, in one pass and without a JSON reader.
///
/// That is: adjusts and categorizes, texts without escapes, nothing unknown. What matches is
/// canonical, for it is matched against the one way to write it; what does not is nil, and is read
/// by the reader that knows everything and says what is wrong.
struct PlainBody {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The body of those bytes, or nil where it has another shape.
  static func read(_ bytes: [UInt8]) -> TransactionBody? {
    bytes.withUnsafeBytes { bytes in
      var reader = PlainBody(bytes)
      return reader.body()
    }
  }

  private mutating func body() -> TransactionBody? {
    guard take("{\"operations\":[") else { return nil }
    var operations: [Operation] = []
    if !take("]") {
      repeat {
        guard let operation = operation() else { return nil }
        operations.append(operation)
      } while take(",")
      guard take("]") else { return nil }
    }
    var seen: Seen?
    if take(",\"seen\":{") {
      seen = readSeen()
      guard seen != nil else { return nil }
    }
    guard take("}"), offset == bytes.count else { return nil }
    return TransactionBody(seen: seen, operations: operations)
  }

  private mutating func operation() -> Operation? {
    if take("{\"amount\":\"") {
      guard let amount = text(), take(",\"asset\":\""), let asset = text(),
        take(",\"kind\":\"adjust\"}"), let amount = try? Amount(utf8: amount),
        let asset = asset.assetKey
      else { return nil }
      return .adjust(asset, amount)
    }
    guard take("{\"asset\":\""), let asset = text(), take(",\"category\":\""),
      let spelling = text(), take(",\"key\":\""), let key = text(),
      take(",\"kind\":\"categorize\"}"), let asset = asset.assetKey,
      let category = try? Category(
        recordedKey: key.validText ?? "", spelling: spelling.validText ?? "")
    else { return nil }
    return .categorize(asset, category)
  }

  private mutating func readSeen() -> Seen? {
    var digest: Hash256?
    if take("\"digest\":\"") {
      digest = text().flatMap { Hash256(utf8: $0) }
      guard digest != nil, take(",") else { return nil }
    }
    guard take("\"hash\":\""), let hash = text().flatMap({ Hash256(utf8: $0) }),
      take(",\"log\":\""), let log = text().flatMap({ LogID(utf8: $0) }),
      take(",\"seq\":"), let seq = integer(), take("}")
    else { return nil }
    return Seen(log: log, position: LogPosition(seq: seq, hash: hash), stateDigest: digest)
  }

  /// Whether `literal` comes next; it is then passed.
  private mutating func take(_ literal: StaticString) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard let start = bytes.baseAddress, bytes.count - offset >= count,
      memcmp(start + offset, literal.utf8Start, count) == 0
    else { return false }
    offset += count
    return true
  }

  /// The bytes up to the quote, which is passed; nil where one of them is escaped or may not stand
  /// in a string.
  private mutating func text() -> UnsafeRawBufferPointer? {
    let start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return UnsafeRawBufferPointer(rebasing: bytes[start..<(offset - 1)])
      }
      if byte < 0x20 || byte == UInt8(ascii: "\\") { return nil }
      offset += 1
    }
    return nil
  }

  /// An integer of at most 15 digits, without zeros before it.
  private mutating func integer() -> UInt64? {
    let start = offset
    var value: UInt64 = 0
    while offset < bytes.count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      value = value &* 10 &+ UInt64(digit)
      offset += 1
    }
    let count = offset - start
    guard (1...15).contains(count), count == 1 || bytes[start] != UInt8(ascii: "0") else {
      return nil
    }
    return value
  }
}

extension UnsafeRawBufferPointer {
  /// The text, or nil where the bytes are no UTF-8.
  fileprivate var validText: String? {
    String(validating: self, as: UTF8.self)
  }

  /// The asset, or nil where the bytes are none.
  fileprivate var assetKey: AssetKey? {
    validText.flatMap { try? AssetKey($0) }
  }
}
