@_spi(Matching) import FolioJSON

/// Reads bodies of the shape that nearly all have, in one pass and without a JSON reader.
///
/// That is: adjusts and categorizes, texts without escapes, nothing unknown. What matches is
/// canonical, for it is matched against the one way to write it; what does not is nil, and is read
/// by the reader that knows everything and says what is wrong.
struct PlainBody {
  private var text: JSONMatcher

  private init?(_ bytes: UnsafeRawBufferPointer) {
    guard let text = JSONMatcher(bytes) else { return nil }
    self.text = text
  }

  /// The body of those bytes, or nil where it has another shape.
  static func read(_ bytes: [UInt8]) -> TransactionBody? {
    bytes.withUnsafeBytes { bytes in
      guard var body = PlainBody(bytes) else { return nil }
      return body.read(bytes.count)
    }
  }

  /// The length of the body of this shape that those bytes start with; nil where none does.
  ///
  /// Such a body is canonical, and its texts are ASCII; whether they are amounts, assets and hashes
  /// is not looked at.
  static func byteCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard var body = PlainBody(bytes) else { return nil }
    return body.pass() ? body.text.offset : nil
  }

  private mutating func read(_ byteCount: Int) -> TransactionBody? {
    guard text.take("{\"operations\":[") else { return nil }
    var operations: [Operation] = []
    // Most take 50 to 90 bytes, and what was seen takes some 160 behind them.
    operations.reserveCapacity(max(byteCount - 160, 0) / 64 + 1)
    if !text.take("]") {
      repeat {
        guard let operation = readOperation() else { return nil }
        operations.append(operation)
      } while text.take(",")
      guard text.take("]") else { return nil }
    }
    var seen: Seen?
    if text.take(",\"seen\":{") {
      seen = readSeen()
      guard seen != nil else { return nil }
    }
    guard text.take("}"), text.isAtEnd else { return nil }
    return TransactionBody(seen: seen, operations: operations)
  }

  private mutating func readOperation() -> Operation? {
    if text.take("{\"amount\":\"") {
      guard let amount = text.text(), text.take(",\"asset\":\""), let asset = text.text(),
        text.take(",\"kind\":\"adjust\"}"), let amount = try? Amount(utf8: amount),
        let asset = AssetKey(utf8: asset)
      else { return nil }
      return .adjust(asset, amount)
    }
    guard text.take("{\"asset\":\""), let asset = text.text(), text.take(",\"category\":\""),
      let spelling = text.text(), text.take(",\"key\":\""), let key = text.text(),
      text.take(",\"kind\":\"categorize\"}"), let asset = AssetKey(utf8: asset),
      let category = try? Category(
        recordedKey: TextRule.text(key) ?? "", spelling: TextRule.text(spelling) ?? "")
    else { return nil }
    return .categorize(asset, category)
  }

  private mutating func readSeen() -> Seen? {
    var digest: Hash256?
    if text.take("\"digest\":\"") {
      digest = text.digits(64).flatMap { Hash256(utf8: $0) }
      guard digest != nil, text.take(",") else { return nil }
    }
    guard text.take("\"hash\":\""), let hash = text.digits(64).flatMap({ Hash256(utf8: $0) }),
      text.take(",\"log\":\""), let log = text.digits(32).flatMap({ LogID(utf8: $0) }),
      text.take(",\"seq\":"), let seq = text.integer(), text.take("}")
    else { return nil }
    return Seen(log: log, position: LogPosition(seq: seq, hash: hash), stateDigest: digest)
  }

  // MARK: Passing over

  private mutating func pass() -> Bool {
    guard text.take("{\"operations\":[") else { return false }
    if !text.take("]") {
      repeat {
        guard passOperation() else { return false }
      } while text.take(",")
      guard text.take("]") else { return false }
    }
    if text.take(",\"seen\":{") {
      if text.take("\"digest\":\"") {
        guard text.passText(), text.take(",") else { return false }
      }
      guard text.take("\"hash\":\""), text.passText(), text.take(",\"log\":\""),
        text.passText(), text.take(",\"seq\":"), text.integer() != nil, text.take("}")
      else { return false }
    }
    return text.take("}")
  }

  @inline(__always)
  private mutating func passOperation() -> Bool {
    if text.take("{\"amount\":\"") {
      return text.passText() && text.take(",\"asset\":\"") && text.passText()
        && text.take(",\"kind\":\"adjust\"}")
    }
    return text.take("{\"asset\":\"") && text.passText() && text.take(",\"category\":\"")
      && text.passText() && text.take(",\"key\":\"") && text.passText()
      && text.take(",\"kind\":\"categorize\"}")
  }
}
