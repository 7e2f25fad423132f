public import FolioJSON

/// What is kept of everything that happened to one document.
///
/// Each field, and the deletion, is that of the greatest stamp, so that merging is commutative and
/// associative, and applying an operation twice is applying it once.
public struct DocumentState: Hashable, Sendable {
  /// The first effective time of its operations: when it was created.
  public private(set) var firstEffectiveAt: Timestamp
  /// The last effective time of its operations: when it was updated.
  public private(set) var lastEffectiveAt: Timestamp
  /// The last value of each field that was ever set or unset.
  public private(set) var fields: [FieldPath: StampedField]
  /// The last deletion or undeletion, where there was any.
  public private(set) var deletion: StampedDeletion?

  /// A document as storage keeps it.
  public init(
    firstEffectiveAt: Timestamp, lastEffectiveAt: Timestamp,
    fields: [FieldPath: StampedField], deletion: StampedDeletion?
  ) {
    self.firstEffectiveAt = firstEffectiveAt
    self.lastEffectiveAt = lastEffectiveAt
    self.fields = fields
    self.deletion = deletion
  }

  /// A document of which one operation at `time` is known, that set nothing.
  public init(at time: Timestamp) {
    self.init(firstEffectiveAt: time, lastEffectiveAt: time, fields: [:], deletion: nil)
  }

  /// A document of which one operation is known.
  public init(_ operation: Operation, stamp: Stamp) {
    self.init(at: stamp.effectiveAt)
    apply(operation, stamp: stamp)
  }

  /// Whether the document is deleted.
  public var isDeleted: Bool { deletion?.isDeleted ?? false }

  /// Applies an operation on this document; others change nothing.
  ///
  /// - Complexity: O(fields of the operation).
  public mutating func apply(_ operation: Operation, stamp: Stamp) {
    switch operation {
    case .put(let put):
      for field in put.set { setField(field.path, StampedField(field.value, stamp: stamp)) }
      for path in put.unset { setField(path, StampedField(nil, stamp: stamp)) }
      if put.undelete { setDeletion(StampedDeletion(isDeleted: false, stamp: stamp)) }
    case .delete: setDeletion(StampedDeletion(isDeleted: true, stamp: stamp))
    case .adjust, .categorize, .unknown: return
    }
    firstEffectiveAt = min(firstEffectiveAt, stamp.effectiveAt)
    lastEffectiveAt = max(lastEffectiveAt, stamp.effectiveAt)
  }

  /// The state with an operation on this document applied.
  public func applying(_ operation: Operation, stamp: Stamp) -> DocumentState {
    var state = self
    state.apply(operation, stamp: stamp)
    return state
  }

  /// What both sets of operations come to together.
  public func merged(with other: DocumentState) -> DocumentState {
    var state = self
    for (path, field) in other.fields { state.setField(path, field) }
    if let deletion = other.deletion { state.setDeletion(deletion) }
    state.firstEffectiveAt = min(firstEffectiveAt, other.firstEffectiveAt)
    state.lastEffectiveAt = max(lastEffectiveAt, other.lastEffectiveAt)
    return state
  }

  private mutating func setField(_ path: FieldPath, _ field: StampedField) {
    if let present = fields[path], !(present.stamp < field.stamp) { return }
    fields[path] = field
  }

  private mutating func setDeletion(_ deletion: StampedDeletion) {
    if let present = self.deletion, !(present.stamp < deletion.stamp) { return }
    self.deletion = deletion
  }
}

/// A field's value, or that it was unset, with the stamp of the operation that said so.
public struct StampedField: Hashable, Sendable {
  /// The value; nil where the field was unset.
  public var value: JSONValue?
  /// The stamp.
  public var stamp: Stamp

  /// `value`, set by the operation with `stamp`; nil for a field that it unset.
  public init(_ value: JSONValue?, stamp: Stamp) {
    self.value = value
    self.stamp = stamp
  }
}

/// Whether a document was deleted or undeleted last, with the stamp of that operation.
public struct StampedDeletion: Hashable, Sendable {
  /// Whether it was deleted.
  public var isDeleted: Bool
  /// The stamp.
  public var stamp: Stamp

  /// A deletion or undeletion by the operation with `stamp`.
  public init(isDeleted: Bool, stamp: Stamp) {
    self.isDeleted = isDeleted
    self.stamp = stamp
  }
}

/// A document and the collection it is in.
public struct DocumentKey: Hashable, Sendable {
  /// The collection.
  public var collection: CollectionName
  /// The document.
  public var id: DocumentID
  /// The document `id` in `collection`.
  public init(collection: CollectionName, id: DocumentID) {
    self.collection = collection
    self.id = id
  }
}

extension DocumentKey: Comparable {
  /// By collection in byte order, then by id.
  public static func < (a: DocumentKey, b: DocumentKey) -> Bool {
    let order = compareBytes(a.collection.text, b.collection.text)
    return order == 0 ? a.id < b.id : order < 0
  }
}

extension FieldPath: Comparable {
  /// By name in byte order, a field before its members, those in byte order.
  public static func < (a: FieldPath, b: FieldPath) -> Bool {
    let order = compareBytes(a.name.text, b.name.text)
    guard order == 0 else { return order < 0 }
    switch (a.member, b.member) {
    case (let a?, let b?): return a < b
    case (nil, let b): return b != nil
    case (_?, nil): return false
    }
  }
}
