extension CategorySpelling {
  /// The most UTF-8 bytes of a category's name.
  public static let byteLimit = 100
}

extension CategoryKey {
  /// The most UTF-8 bytes of a folded name.
  public static let byteLimit = 150
}

extension Category {
  /// The category of a name as a person writes it.
  ///
  /// The name is trimmed and brought into normal form C, and has then 1 to 100 UTF-8 bytes and no
  /// control characters; the key is folded from it.
  /// - Complexity: O(length).
  public init(named name: String) throws(NameError) {
    let spelling = TextRule.normalized(TextRule.trimmed(name))
    let key = TextRule.folded(spelling)
    try self.init(recordedKey: key, spelling: spelling)
  }

  /// A category as a transaction records it.
  ///
  /// Only what every version of Unicode judges alike is checked: lengths and control characters.
  /// - Complexity: O(length).
  public init(recordedKey key: String, spelling: String) throws(NameError) {
    guard !spelling.isEmpty, !key.isEmpty else { throw .categoryEmpty }
    try Self.check(spelling, CategorySpelling.byteLimit)
    try Self.check(key, CategoryKey.byteLimit)
    self.init(key: CategoryKey(unchecked: key), spelling: CategorySpelling(unchecked: spelling))
  }

  private static func check(_ text: String, _ limit: Int) throws(NameError) {
    let count = text.utf8.count
    guard count <= limit else { throw .categoryTooLong(byteCount: count, limit: limit) }
    if let offset = TextRule.controlCharacterOffset(in: text) {
      throw .categoryControlCharacter(offset: offset)
    }
  }

  /// The category that an asset is in for as long as nobody has named one: that of its type's name.
  public init(defaultFor type: AssetType) {
    self.init(
      key: CategoryKey(unchecked: type.text), spelling: CategorySpelling(unchecked: type.text))
  }
}

extension Category: CustomStringConvertible {
  /// The name as it was written.
  public var description: String { spelling.text }
}
