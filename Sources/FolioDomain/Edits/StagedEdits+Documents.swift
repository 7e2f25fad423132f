import FolioJSON

extension StagedEdits {
  mutating func stage<Base: EditBase & ~Copyable & ~Escapable>(
    _ put: DocumentPut, on base: borrowing Base
  ) throws -> EditOutcome {
    let key = DocumentKey(collection: put.collection, id: put.document)
    let (index, staged) = try stagedDocument(key, on: base)
    var checked = try put.validated()
    if key.collection == .record {
      checked = try RecordRule.checked(checked, isNew: !staged.exists)
    }
    var changed = staged
    changed.apply(checked)
    if key.collection == .record, RecordRule.concerns(checked) {
      try requireUnique(changed, on: base)
    }
    keep(changed, at: index)
    return .document(key)
  }

  /// Checks that no other record, as it is or as it was staged, has the identity of this one.
  private func requireUnique<Base: EditBase & ~Copyable & ~Escapable>(
    _ record: StagedDocument, on base: borrowing Base
  ) throws {
    guard let identity = record.document.flatMap(RecordRule.identity(of:)) else { return }
    let staged = documents.filter { $0.key.collection == .record }
    let stagedIDs = Set(staged.map(\.key.id))
    let holders =
      try base.records(of: identity).filter { !stagedIDs.contains($0) }
      + staged.filter { $0.document.flatMap(RecordRule.identity(of:)) == identity }.map(\.key.id)
    try RecordRule.requireUnique(record.key.id, among: holders)
  }

  mutating func stageDeletion<Base: EditBase & ~Copyable & ~Escapable>(
    of key: DocumentKey, on base: borrowing Base
  ) throws -> EditOutcome {
    var (index, staged) = try stagedDocument(key, on: base)
    guard staged.exists else { throw EditError.documentNotFound }
    staged.delete()
    keep(staged, at: index)
    return .document(key)
  }

  private func stagedDocument<Base: EditBase & ~Copyable & ~Escapable>(
    _ key: DocumentKey, on base: borrowing Base
  ) throws -> (index: Int?, StagedDocument) {
    if let index = documents.firstIndex(where: { $0.key == key }) {
      return (index, documents[index])
    }
    return (nil, StagedDocument(key: key, base: try base.document(key)))
  }

  private mutating func keep(_ staged: StagedDocument, at index: Int?) {
    if let index { documents[index] = staged } else { documents.append(staged) }
  }
}

/// A document with what was staged on it.
struct StagedDocument: Sendable {
  let key: DocumentKey
  /// The document before any edit; nil where there was none.
  private let base: Document?
  private var set: [FieldPath: JSONValue] = [:]
  private var unset: Set<FieldPath> = []
  private var deletion: Deletion?
  private var wasPut = false

  private enum Deletion { case deleted, undeleted }

  init(key: DocumentKey, base: Document?) {
    self.key = key
    self.base = base
  }

  /// Whether there is such a document, deleted or not, after what was staged.
  var exists: Bool { base != nil || wasPut }

  mutating func apply(_ put: DocumentPut) {
    wasPut = true
    for path in expanded(put.unset, except: put.set) {
      set[path] = nil
      // What was never there need not be unset.
      if base != nil { unset.insert(path) }
    }
    for field in put.set {
      set[field.path] = field.value
      unset.remove(field.path)
    }
    if put.undelete { deletion = .undeleted }
  }

  mutating func delete() { deletion = .deleted }

  /// The paths to unset: for `metadata` as a whole each of its members that is there.
  private func expanded(_ paths: [FieldPath], except fields: [DocumentField]) -> Set<FieldPath> {
    var expanded = Set(paths)
    guard expanded.remove(FieldPath(.metadata)) != nil else { return expanded }
    let present = (base.map { Array($0.values.keys) } ?? []) + set.keys
    expanded.formUnion(present.filter { $0.name == .metadata })
    return expanded.subtracting(fields.map(\.path))
  }

  /// The document as it is with what was staged; nil where there is none then.
  var document: Document? {
    if let base { return base.laying(operations) }
    return Document(
      key, accepted: nil, pending: operations.map { ($0, Timestamp(milliseconds: 0)) })
  }

  /// At most a `put` and a `delete`; nothing for a document that is made and deleted at once.
  var operations: [Operation] {
    let isDeleted = deletion == .deleted
    if base == nil, isDeleted { return [] }
    let put = DocumentPut(
      collection: key.collection, document: key.id,
      set: set.map { DocumentField($0.key, $0.value) }.sorted { $0.path < $1.path },
      unset: unset.sorted(), undelete: deletion == .undeleted)
    let isEmpty = put.set.isEmpty && put.unset.isEmpty && !put.undelete
    var operations: [Operation] = []
    if base == nil || !isEmpty { operations.append(.put(put)) }
    if isDeleted, base?.isDeleted == false { operations.append(.delete(key.collection, key.id)) }
    return operations
  }
}
