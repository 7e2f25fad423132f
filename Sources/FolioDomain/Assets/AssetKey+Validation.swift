extension AssetType {
  /// The most bytes of a type's name.
  public static let byteLimit = 64

  /// Shares.
  public static let stock = AssetType(unchecked: "stock")
  /// Coins and tokens.
  public static let crypto = AssetType(unchecked: "crypto")
  /// Currencies; the price of one unit in the base currency.
  public static let forex = AssetType(unchecked: "forex")
  /// Metals.
  public static let metal = AssetType(unchecked: "metal")

  /// The type of that name: 1 to 64 bytes of `[a-z0-9.-]`.
  ///
  /// - Complexity: O(length).
  public init(validating text: String) throws(NameError) {
    let count = text.utf8.count
    guard (1...Self.byteLimit).contains(count) else {
      throw .assetTypeLength(byteCount: count, limit: Self.byteLimit)
    }
    for (offset, byte) in text.utf8.enumerated() where !Self.isCharacter(byte) {
      throw .assetTypeCharacter(offset: offset)
    }
    self.init(unchecked: text)
  }

  /// The type of that name in UTF-8, or nil where the bytes are none.
  ///
  /// - Complexity: O(length).
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    // Nearly all assets are of a type whose text is there already.
    if let known = Self.known(bytes) {
      self = known
      return
    }
    guard (1...Self.byteLimit).contains(bytes.count), bytes.allSatisfy(Self.isCharacter) else {
      return nil
    }
    self.init(unchecked: String(ascii: bytes))
  }

  @inline(__always)
  private static func known(_ bytes: UnsafeRawBufferPointer) -> AssetType? {
    switch bytes.count {
    case 5:
      if bytes.elementsEqual("stock".utf8) { return .stock }
      if bytes.elementsEqual("forex".utf8) { return .forex }
      return bytes.elementsEqual("metal".utf8) ? .metal : nil
    case 6: return bytes.elementsEqual("crypto".utf8) ? .crypto : nil
    default: return nil
    }
  }

  @inline(__always)
  private static func isCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension AssetID {
  /// The most UTF-8 bytes of an id.
  public static let byteLimit = 200

  /// The id of that text, taken as it is: 1 to 200 UTF-8 bytes without control characters.
  ///
  /// - Complexity: O(length).
  public init(validating text: String) throws(NameError) {
    let count = text.utf8.count
    guard (1...Self.byteLimit).contains(count) else {
      throw .assetIDLength(byteCount: count, limit: Self.byteLimit)
    }
    if let offset = TextRule.controlCharacterOffset(in: text) {
      throw .assetIDControlCharacter(offset: offset)
    }
    self.init(unchecked: text)
  }

  /// The id of that text in UTF-8, or nil where the bytes are none.
  ///
  /// - Complexity: O(length).
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard (1...Self.byteLimit).contains(bytes.count) else { return nil }
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      self.init(unchecked: String(ascii: bytes))
      return
    }
    guard let text = TextRule.text(bytes), TextRule.controlCharacterOffset(in: bytes) == nil else {
      return nil
    }
    self.init(unchecked: text)
  }
}

extension AssetKey: CustomStringConvertible {
  /// The asset of `type:id`; the first colon divides, and the id may have more of them.
  ///
  /// - Complexity: O(length).
  public init(_ text: String) throws(NameError) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw .assetWithoutColon
    }
    self.init(
      type: try AssetType(validating: String(text[..<colon])),
      id: try AssetID(validating: String(text[text.utf8.index(after: colon)...])))
  }

  /// The asset of `type:id` in UTF-8, or nil where the bytes name none.
  ///
  /// - Complexity: O(length).
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let type = AssetType(utf8: UnsafeRawBufferPointer(rebasing: bytes[..<colon])),
      let id = AssetID(utf8: UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)...]))
    else { return nil }
    self.init(type: type, id: id)
  }

  /// The asset as `type:id`.
  public var text: String { "\(type.text):\(id.text)" }

  /// Appends the text in UTF-8.
  public func appendText(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: type.text.utf8)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: id.text.utf8)
  }

  /// The text form.
  public var description: String { text }
}
