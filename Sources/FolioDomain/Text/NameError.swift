/// Which rule a name breaks.
@nonexhaustive
public enum NameError: DomainError, Hashable {
  /// An asset type is empty or too long.
  case assetTypeLength(byteCount: Int, limit: Int)
  /// An asset type has a byte that is none of `[a-z0-9.-]`.
  case assetTypeCharacter(offset: Int)
  /// An asset's id is empty or too long.
  case assetIDLength(byteCount: Int, limit: Int)
  /// An asset's id has a control character.
  case assetIDControlCharacter(offset: Int)
  /// An asset is written without the colon between type and id.
  case assetWithoutColon
  /// A category's name is empty, or nothing but white space.
  case categoryEmpty
  /// A category's name, or its folded key, is too long.
  case categoryTooLong(byteCount: Int, limit: Int)
  /// A category's name has a control character.
  case categoryControlCharacter(offset: Int)
  /// A collection's name is empty or too long.
  case collectionNameLength(byteCount: Int, limit: Int)
  /// A collection's name has a byte that may not stand where it does.
  case collectionNameCharacter(offset: Int)
  /// A field's name is empty or too long.
  case fieldNameLength(byteCount: Int, limit: Int)
  /// A field's name has a control character.
  case fieldNameControlCharacter(offset: Int)
}

extension NameError {
  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .assetTypeLength: "assetTypeLength"
    case .assetTypeCharacter: "assetTypeCharacter"
    case .assetIDLength: "assetIdLength"
    case .assetIDControlCharacter: "assetIdControlCharacter"
    case .assetWithoutColon: "assetWithoutColon"
    case .categoryEmpty: "categoryEmpty"
    case .categoryTooLong: "categoryTooLong"
    case .categoryControlCharacter: "categoryControlCharacter"
    case .collectionNameLength: "collectionNameLength"
    case .collectionNameCharacter: "collectionNameCharacter"
    case .fieldNameLength: "fieldNameLength"
    case .fieldNameControlCharacter: "fieldNameControlCharacter"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .assetTypeLength(let count, let limit):
      "an asset type has 1 to \(limit) bytes, this one has \(count)"
    case .assetTypeCharacter(let offset):
      "an asset type is made of a-z, 0-9, point and hyphen; not so at byte \(offset)"
    case .assetIDLength(let count, let limit):
      "an asset's id has 1 to \(limit) bytes, this one has \(count)"
    case .assetIDControlCharacter(let offset):
      "an asset's id has no control characters; there is one at byte \(offset)"
    case .assetWithoutColon: "an asset is a type and an id with a colon between them"
    case .categoryEmpty: "a category's name is empty"
    case .categoryTooLong(let count, let limit):
      "a category's name has at most \(limit) bytes, this one has \(count)"
    case .categoryControlCharacter(let offset):
      "a category's name has no control characters; there is one at byte \(offset)"
    case .collectionNameLength(let count, let limit):
      "a collection's name has 1 to \(limit) bytes, this one has \(count)"
    case .collectionNameCharacter(let offset):
      "a collection's name is a-z, then a-z, 0-9 and hyphen; not so at byte \(offset)"
    case .fieldNameLength(let count, let limit):
      "a field's name has 1 to \(limit) bytes, this one has \(count)"
    case .fieldNameControlCharacter(let offset):
      "a field's name has no control characters; there is one at byte \(offset)"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .assetTypeLength, .assetTypeCharacter:
      "write the type in lower case, like stock, crypto or forex"
    case .assetIDLength, .assetIDControlCharacter:
      "look the id up by symbol or name; ids are case-sensitive"
    case .assetWithoutColon: "write it like crypto:bitcoin"
    case .categoryEmpty, .categoryTooLong, .categoryControlCharacter:
      "choose a name of one line and moderate length"
    case .collectionNameLength, .collectionNameCharacter:
      "write the name in lower case, like notes or price-alerts"
    case .fieldNameLength, .fieldNameControlCharacter:
      "choose a short name without line breaks"
    }
  }
}
