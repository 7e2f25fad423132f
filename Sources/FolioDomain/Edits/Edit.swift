/// Something a user wants, before it is known what it comes to.
///
/// "Set to 10" stays that until it is saved; what it adds is found then.
public enum Edit: Hashable, Sendable {
  /// Adds an amount, below 0 to sell, and moves the asset where a category is given.
  case add(AssetKey, Amount, category: Category?)
  /// Makes the amount held what it says.
  case set(AssetKey, Amount)
  /// Puts a listed asset into a category.
  case move(AssetKey, to: Category)
  /// Brings a listed asset's amount to 0.
  case delete(AssetKey)
  /// Moves all assets of a category, hidden ones too, into another.
  case renameCategory(CategoryKey, to: Category)
  /// Sets and unsets fields of a document, making it where it is new.
  case put(DocumentPut)
  /// Deletes a document softly.
  case deleteDocument(DocumentKey)
}

/// What an edit comes to, on top of those staged before it.
public enum EditOutcome: Hashable, Sendable {
  /// An asset's amount and category as they are then.
  case asset(AssetKey, amount: Int256, category: Category)
  /// A deleted asset was in no snapshot, and is gone.
  case removed(AssetKey)
  /// A deleted asset was in a snapshot, and stays with amount 0.
  case zeroed(AssetKey)
  /// A category was renamed: how many assets moved, and where they are.
  case renamed(assetCount: Int, to: Category)
  /// A document was changed or deleted.
  case document(DocumentKey)
}

/// What staging edits needs to know of the present state: accepted, with what is pending over it.
///
/// Each call reads one asset, one category, one document, or the records of one title.
public protocol EditBase: ~Copyable, ~Escapable {
  /// An asset, listed or not.
  func holding(of asset: AssetKey) throws -> Holding
  /// The listed assets of a category, hidden ones too.
  func assets(in category: CategoryKey) throws -> [AssetKey]
  /// A document, deleted or not; nil where there never was one.
  func document(_ key: DocumentKey) throws -> Document?
  /// The records of an identity that are not deleted.
  func records(of identity: RecordIdentity) throws -> [DocumentID]
}

extension Overlay: EditBase {
  /// The listed assets of a category, in byte order.
  ///
  /// - Complexity: that of `portfolio`.
  public func assets(in category: CategoryKey) -> [AssetKey] {
    (portfolio.categories[category] ?? []).sorted()
  }

  /// The records of an identity that are not deleted, in order of their ids.
  ///
  /// - Complexity: O(records x pending operations).
  public func records(of identity: RecordIdentity) -> [DocumentID] {
    documents(in: .record).filter { RecordRule.identity(of: $0) == identity }.map(\.key.id)
  }
}
