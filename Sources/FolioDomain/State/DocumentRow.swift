/// A document, deleted or not, as a row of accepted state.
public struct DocumentRow: StateRow, Hashable, Sendable {
  /// The document.
  public var key: DocumentKey
  /// What is kept of it.
  public var state: DocumentState

  /// `state` of the document `key`.
  public init(_ key: DocumentKey, _ state: DocumentState) {
    self.key = key
    self.state = state
  }

  /// Appends label, kind, collection, id, both times, the deletion, and each field in byte order
  /// of the paths with its value and stamp.
  public func appendCanonicalBytes(to bytes: inout CanonicalBytes) {
    bytes.begin(RowKind.document)
    bytes.append(key.collection.text)
    bytes.append(key.id.value)
    bytes.append(state.firstEffectiveAt.milliseconds)
    bytes.append(state.lastEffectiveAt.milliseconds)
    // 0: neither; 1: undeleted; 2: deleted.
    bytes.append(UInt8(state.deletion.map { $0.isDeleted ? 2 : 1 } ?? 0))
    if let deletion = state.deletion { bytes.append(deletion.stamp) }
    bytes.append(UInt32(truncatingIfNeeded: state.fields.count))
    for (path, field) in state.fields.sorted(by: { $0.key < $1.key }) {
      bytes.append(path.name.text)
      bytes.append(UInt8(path.member == nil ? 0 : 1))
      if let member = path.member { bytes.append(member.text) }
      bytes.append(field.stamp)
      bytes.append(UInt8(field.value == nil ? 0 : 1))
      if let value = field.value { bytes.append(value) }
    }
  }
}
