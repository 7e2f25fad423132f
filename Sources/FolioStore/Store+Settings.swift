internal import LMDB

extension StoreReadTransaction {
  /// A setting of the user interface; nil where it was never set.
  public func setting(_ name: String) throws -> [UInt8]? {
    try base.bytes(spaces.settings, Array(name.utf8))
  }

  /// The names of all settings, in byte order.
  public func settingNames() throws -> [String] {
    var names: [String] = []
    try base.scan(spaces.settings, .all) { key, _ in
      names.append(String(decoding: key.copied, as: UTF8.self))
      return .next
    }
    return names
  }

  /// What an application keeps of edits that are not saved; nil where there are none.
  public func unsavedEdit() throws -> [UInt8]? {
    try base.bytes(spaces.edit, Self.editKey)
  }

  static var editKey: [UInt8] { Array("edit".utf8) }
}

extension StoreWriteTransaction {
  /// Remembers a setting of the user interface, or forgets it where `value` is nil.
  ///
  /// - Parameters:
  ///   - name: 1 to 511 bytes.
  ///   - value: What is remembered.
  public mutating func setSetting(_ name: String, to value: [UInt8]?) throws {
    if let value {
      try base.put(spaces.settings, Array(name.utf8), value)
    } else {
      try base.delete(spaces.settings, Array(name.utf8))
    }
  }

  /// Keeps edits that are not saved, as the application writes them, or forgets them.
  ///
  /// They can be dropped without loss.
  public mutating func setUnsavedEdit(_ bytes: [UInt8]?) throws {
    if let bytes {
      try base.put(spaces.edit, StoreReadTransaction.editKey, bytes)
    } else {
      try base.delete(spaces.edit, StoreReadTransaction.editKey)
    }
  }
}
