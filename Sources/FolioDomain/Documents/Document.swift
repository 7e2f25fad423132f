public import FolioJSON

/// A document as a device shows it: accepted state with what is pending laid over it.
public struct Document: Hashable, Sendable {
  /// The document's collection and id.
  public var key: DocumentKey
  /// When it was created: the first effective time of its operations.
  ///
  /// While all of them are pending, the time the first was recorded.
  public var createdAt: Timestamp
  /// When it was updated: the last effective time of its operations, those that are pending by the
  /// time they were recorded.
  public var updatedAt: Timestamp
  /// Whether it is deleted.
  public var isDeleted: Bool
  /// Whether something of it is pending, and its times may still change.
  public var isPending: Bool
  /// The fields that are set.
  public private(set) var values: DocumentFields

  /// What accepted state and the pending operations on a document come to; nil where there are
  /// neither.
  ///
  /// - Parameters:
  ///   - key: The document.
  ///   - accepted: What is kept of it in accepted state.
  ///   - pending: The operations on it that are pending, in order, with their times.
  /// - Complexity: O(n log n) in the number of fields, and O(operations).
  public init?(
    _ key: DocumentKey, accepted: DocumentState?,
    pending: [(operation: Operation, recordedAt: Timestamp)] = []
  ) {
    self.init(key, accepted: accepted.map(AcceptedDocument.init), pending: pending)
  }

  /// What the accepted document and the pending operations on it come to; nil where there are
  /// neither.
  ///
  /// - Complexity: O(fields + operations).
  package init?(
    _ key: DocumentKey, accepted: AcceptedDocument?,
    pending: [(operation: Operation, recordedAt: Timestamp)]
  ) {
    guard let first = accepted?.firstEffectiveAt ?? pending.lazy.map(\.recordedAt).min() else {
      return nil
    }
    self.key = key
    createdAt = first
    updatedAt = pending.reduce(accepted?.lastEffectiveAt ?? first) { max($0, $1.recordedAt) }
    isDeleted = accepted?.isDeleted ?? false
    isPending = !pending.isEmpty
    values = accepted?.fields ?? DocumentFields()
    for (operation, _) in pending { apply(operation) }
  }

  private mutating func apply(_ operation: Operation) {
    switch operation {
    case .put(let put):
      values.set(DocumentFields(of: put))
      values.unset(put.unset)
      if put.undelete { isDeleted = false }
    case .delete: isDeleted = true
    case .adjust, .categorize, .unknown: break
    }
  }

  /// The document with further operations laid over it.
  func laying(_ operations: [Operation]) -> Document {
    var document = self
    for operation in operations { document.apply(operation) }
    return document
  }

  /// A field's value; nil where it is not set.
  public subscript(path: FieldPath) -> JSONValue? { values[path] }

  /// The fields as an object in byte order of their names, the members of `metadata` within it.
  ///
  /// - Complexity: O(fields).
  public var fields: JSONValue {
    var members: [JSONMember] = []
    members.reserveCapacity(values.count)
    var metadata: [JSONMember] = []
    for field in values {
      guard let member = field.path.member else {
        members.append(JSONMember(field.path.name.text, field.value))
        continue
      }
      metadata.append(JSONMember(member.text, field.value))
    }
    if !metadata.isEmpty {
      let place =
        members.firstIndex { compareBytes($0.name, FieldName.metadata.text) > 0 } ?? members.count
      members.insert(JSONMember(FieldName.metadata.text, .object(metadata)), at: place)
    }
    return .object(members)
  }
}

/// What accepted state shows of a document: its fields without the stamps that decide merges.
package struct AcceptedDocument: Sendable {
  /// The first effective time of its operations.
  package var firstEffectiveAt: Timestamp
  /// The last effective time of its operations.
  package var lastEffectiveAt: Timestamp
  /// Whether it is deleted.
  package var isDeleted: Bool
  /// The fields that are set.
  package var fields: DocumentFields

  /// A document as storage keeps it.
  package init(
    firstEffectiveAt: Timestamp, lastEffectiveAt: Timestamp, isDeleted: Bool,
    fields: DocumentFields
  ) {
    self.firstEffectiveAt = firstEffectiveAt
    self.lastEffectiveAt = lastEffectiveAt
    self.isDeleted = isDeleted
    self.fields = fields
  }

  init(_ state: DocumentState) {
    self.init(
      firstEffectiveAt: state.firstEffectiveAt, lastEffectiveAt: state.lastEffectiveAt,
      isDeleted: state.isDeleted,
      fields: DocumentFields(
        state.fields.compactMap { path, field in field.value.map { DocumentField(path, $0) } }))
  }
}
