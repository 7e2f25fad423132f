import FolioJSON

extension StagedEdits {
  mutating func stage<Base: EditBase & ~Copyable & ~Escapable>(
    _ put: DocumentPut, on base: borrowing Base
  ) throws -> EditOutcome {
    let key = DocumentKey(collection: put.collection, id: put.document)
    let staged = try documents[key] ?? StagedDocument(key: key, base: base.document(key))
    var checked = try put.validated()
    if key.collection == .record {
      checked = try RecordRule.checked(checked, isNew: !staged.exists)
    }
    var changed = staged
    changed.apply(checked)
    if key.collection == .record, RecordRule.concerns(checked) {
      try requireUnique(changed, on: base)
    }
    documents.keep(changed)
    return .document(key)
  }

  /// Checks that no other record, as it is or as it was staged, has the identity of this one.
  private func requireUnique<Base: EditBase & ~Copyable & ~Escapable>(
    _ record: StagedDocument, on base: borrowing Base
  ) throws {
    guard let identity = record.identity else { return }
    let holders =
      try base.records(of: identity)
      .filter { documents[DocumentKey(collection: .record, id: $0)] == nil }
      + documents.records(of: identity)
    try RecordRule.requireUnique(record.key.id, among: holders)
  }

  mutating func stageDeletion<Base: EditBase & ~Copyable & ~Escapable>(
    of key: DocumentKey, on base: borrowing Base
  ) throws -> EditOutcome {
    var staged = try documents[key] ?? StagedDocument(key: key, base: base.document(key))
    guard staged.exists else { throw EditError.documentNotFound }
    staged.delete()
    documents.keep(staged)
    return .document(key)
  }
}

/// The documents that something was staged on, found by key and, for records, by what is unique.
struct StagedDocuments: Sendable {
  /// In the order in which they were first staged.
  private var inOrder: [StagedDocument] = []
  private var places: [DocumentKey: Int] = [:]
  private var holders: [RecordIdentity: Set<DocumentID>] = [:]

  /// A document with what was staged on it; nil where nothing was.
  ///
  /// O(1).
  subscript(key: DocumentKey) -> StagedDocument? { places[key].map { inOrder[$0] } }

  /// The records that have an identity after what was staged.
  ///
  /// O(n log n) in their number, which the rule keeps at one.
  func records(of identity: RecordIdentity) -> [DocumentID] { (holders[identity] ?? []).sorted() }

  /// Keeps a document with what is staged on it now.
  ///
  /// O(fields), however many others there are.
  mutating func keep(_ staged: StagedDocument) {
    if staged.key.collection == .record {
      if let old = self[staged.key]?.identity { holders[old]?.remove(staged.key.id) }
      if let new = staged.identity { holders[new, default: []].insert(staged.key.id) }
    }
    if let place = staged.place {
      inOrder[place] = staged
    } else {
      var placed = staged
      placed.place = inOrder.count
      places[staged.key] = inOrder.count
      inOrder.append(placed)
    }
  }

  /// Appends what everything staged comes to.
  func appendOperations(to staged: inout StagedOperations) {
    staged.operations.reserveCapacity(staged.operations.count + inOrder.count)
    staged.areOnNewDocuments.reserveCapacity(inOrder.count)
    for document in inOrder {
      document.appendOperations(to: &staged.operations)
      let added = staged.operations.count - staged.firstOnDocument - staged.areOnNewDocuments.count
      for _ in 0..<added { staged.areOnNewDocuments.append(document.isNew) }
    }
  }
}

/// A document with what was staged on it.
struct StagedDocument: Sendable {
  let key: DocumentKey
  /// The document before any edit; nil where there was none.
  private let base: Document?
  private var set = DocumentFields()
  private var unset: Set<FieldPath> = []
  private var deletion: Deletion?
  private var wasPut = false

  /// Its place among all that something was staged on; nil while it has none.
  fileprivate(set) var place: Int?

  private enum Deletion { case deleted, undeleted }

  init(key: DocumentKey, base: Document?) {
    self.key = key
    self.base = base
  }

  /// Whether there was no such document before what was staged, not even a deleted one.
  var isNew: Bool { base == nil }

  /// Whether there is such a document, deleted or not, after what was staged.
  var exists: Bool { base != nil || wasPut }

  mutating func apply(_ put: DocumentPut) {
    wasPut = true
    if !put.unset.isEmpty {
      let paths = expanded(put.unset, except: put.set)
      set.unset(paths)
      // What was never there need not be unset.
      if base != nil { unset.formUnion(paths) }
    }
    set.set(DocumentFields(of: put))
    if !unset.isEmpty { for field in put.set { unset.remove(field.path) } }
    if put.undelete { deletion = .undeleted }
  }

  mutating func delete() { deletion = .deleted }

  /// The paths to unset: for `metadata` as a whole each of its members that is there.
  private func expanded(_ paths: [FieldPath], except fields: [DocumentField]) -> Set<FieldPath> {
    var expanded = Set(paths)
    guard expanded.remove(FieldPath(.metadata)) != nil else { return expanded }
    let present = (base?.values.map(\.path) ?? []) + set.map(\.path)
    expanded.formUnion(present.filter { $0.name == .metadata })
    return expanded.subtracting(fields.map(\.path))
  }

  /// The document as it is with what was staged; nil where there is none then.
  var document: Document? {
    if let base { return base.laying(operations) }
    return Document(
      key, accepted: nil as DocumentState?,
      pending: operations.map { ($0, Timestamp(milliseconds: 0)) })
  }

  /// What is unique of it after what was staged; nil where it is no record, or has no identity.
  var identity: RecordIdentity? {
    key.collection == .record ? document.flatMap(RecordRule.identity(of:)) : nil
  }

  /// At most a `put` and a `delete`; nothing for a document that is made and deleted at once.
  var operations: [Operation] {
    var operations: [Operation] = []
    appendOperations(to: &operations)
    return operations
  }

  func appendOperations(to operations: inout [Operation]) {
    let isDeleted = deletion == .deleted
    if base == nil, isDeleted { return }
    let isEmpty = set.isEmpty && unset.isEmpty && deletion != .undeleted
    if base == nil || !isEmpty {
      var put = DocumentPut(
        collection: key.collection, document: key.id, set: set.array,
        unset: unset.isEmpty ? [] : unset.sorted(), undelete: deletion == .undeleted)
      // What was staged was checked, and stands in order.
      put.isValidated = true
      operations.append(.put(put))
    }
    if isDeleted, base?.isDeleted == false { operations.append(.delete(key.collection, key.id)) }
  }
}

/// The operations that staged edits come to, those on documents last.
package struct StagedOperations: Sendable {
  /// All of them, in their order.
  package internal(set) var operations: [Operation]
  /// The place of the first on a document.
  let firstOnDocument: Int
  /// For each on a document, whether there was no such document before.
  var areOnNewDocuments: [Bool] = []

  init(_ operations: [Operation]) {
    self.operations = operations
    firstOnDocument = operations.count
  }

  /// Whether the operation at a place is on a document of which there was nothing before.
  package func isOnNewDocument(_ place: Int) -> Bool {
    place >= firstOnDocument && areOnNewDocuments[place - firstOnDocument]
  }
}
