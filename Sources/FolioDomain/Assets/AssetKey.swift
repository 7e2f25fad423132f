/// What kind of thing an asset is: `stock`, `crypto`, `forex`, or any other name.
///
/// The set is open: 1 to 64 bytes of `[a-z0-9.-]`.
public struct AssetType: Sendable {
  /// The name.
  public let text: String
  /// A name already known to follow the rule; `init(validating:)` checks one that is not.
  public init(unchecked text: String) { self.text = text }
}

/// An asset's id within its type: opaque, case-sensitive, compared byte by byte.
///
/// 1 to 200 UTF-8 bytes without control characters.
public struct AssetID: Sendable {
  /// The id.
  public let text: String
  /// An id already known to follow the rule; `init(validating:)` checks one that is not.
  public init(unchecked text: String) { self.text = text }
}

/// An asset: its type and its id there, written `crypto:bitcoin`.
public struct AssetKey: Hashable, Sendable {
  /// The type.
  public let type: AssetType
  /// The id within the type.
  public let id: AssetID
  /// The asset of that type and id.
  public init(type: AssetType, id: AssetID) {
    self.type = type
    self.id = id
  }
}

/// The identity of a category: its folded name, compared byte by byte.
public struct CategoryKey: Sendable {
  /// The folded name: lower-cased, NFC, 1 to 150 UTF-8 bytes.
  public let text: String
  /// A key already folded and known to follow the rule.
  public init(unchecked text: String) { self.text = text }
}

/// A user's own name for a group of assets, with its identity.
public struct Category: Hashable, Sendable {
  /// The identity, which merging compares.
  public let key: CategoryKey
  /// The name as it was written: trimmed, NFC, 1 to 100 UTF-8 bytes, no control characters.
  public let spelling: CategorySpelling
  /// The category of that identity, spelled so.
  public init(key: CategoryKey, spelling: CategorySpelling) {
    self.key = key
    self.spelling = spelling
  }
}

/// A category's name as a person wrote it, compared byte by byte.
public struct CategorySpelling: Sendable {
  /// The name.
  public let text: String
  /// A name already known to follow the rule.
  public init(unchecked text: String) { self.text = text }
}
