/// The name of a collection of documents: `[a-z][a-z0-9-]{0,63}`.
public struct CollectionName: Sendable {
  /// The name.
  public let text: String
  /// A name already known to follow the rule; `init(validating:)` checks one that is not.
  public init(unchecked text: String) { self.text = text }
}

/// The name of a document's field, compared byte by byte.
public struct FieldName: Sendable {
  /// The name.
  public let text: String
  /// A name already known to follow the rule; `init(validating:)` checks one that is not.
  public init(unchecked text: String) { self.text = text }
}
