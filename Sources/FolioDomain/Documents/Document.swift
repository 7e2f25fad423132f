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
  /// The fields that are set, by path.
  public private(set) var values: [FieldPath: JSONValue]

  /// What accepted state and the pending operations on a document come to; nil where there are
  /// neither.
  ///
  /// - Parameters:
  ///   - key: The document.
  ///   - accepted: What is kept of it in accepted state.
  ///   - pending: The operations on it that are pending, in order, with their times.
  /// - Complexity: O(fields + operations).
  public init?(
    _ key: DocumentKey, accepted: DocumentState?,
    pending: [(operation: Operation, recordedAt: Timestamp)] = []
  ) {
    let times =
      (accepted.map { [$0.firstEffectiveAt, $0.lastEffectiveAt] } ?? []) + pending.map(\.recordedAt)
    guard let first = accepted?.firstEffectiveAt ?? times.min(), let last = times.max() else {
      return nil
    }
    self.key = key
    createdAt = first
    updatedAt = last
    isDeleted = accepted?.isDeleted ?? false
    isPending = !pending.isEmpty
    values = accepted?.fields.compactMapValues(\.value) ?? [:]
    for (operation, _) in pending { apply(operation) }
  }

  private mutating func apply(_ operation: Operation) {
    switch operation {
    case .put(let put):
      for field in put.set { values[field.path] = field.value }
      for path in put.unset { values[path] = nil }
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
  /// - Complexity: O(n log n) in the number of fields.
  public var fields: JSONValue {
    var members: [JSONMember] = []
    var metadata: [JSONMember] = []
    for (path, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let member = path.member else {
        members.append(JSONMember(path.name.text, value))
        continue
      }
      metadata.append(JSONMember(member.text, value))
    }
    if !metadata.isEmpty {
      let place =
        members.firstIndex { compareBytes($0.name, FieldName.metadata.text) > 0 } ?? members.count
      members.insert(JSONMember(FieldName.metadata.text, .object(metadata)), at: place)
    }
    return .object(members)
  }
}
