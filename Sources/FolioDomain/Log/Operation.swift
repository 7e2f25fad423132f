public import FolioJSON

/// One change, as a transaction's body holds it.
public enum Operation: Hashable, Sendable {
  /// Adds a signed amount to what is held of an asset.
  case adjust(AssetKey, Amount)
  /// Puts an asset into a category.
  case categorize(AssetKey, Category)
  /// Sets and unsets fields of a document, making it where it is new.
  case put(DocumentPut)
  /// Deletes a document softly.
  case delete(CollectionName, DocumentID)
  /// An operation of a kind that this build does not know: its name and its canonical JSON.
  case unknown(kind: String, json: [UInt8])
}

/// What a `put` operation does to a document.
public struct DocumentPut: Sendable {
  /// The collection.
  public var collection: CollectionName
  /// The document.
  public var document: DocumentID
  /// Fields with their new values, in byte order of their names.
  public var set: [DocumentField] { didSet { isValidated = false } }
  /// Fields that are unset, in byte order.
  public var unset: [FieldPath] { didSet { isValidated = false } }
  /// Whether a deletion is undone.
  public var undelete: Bool
  /// Whether the fields are known to be what ``validated()`` makes of them, which need not be found
  /// out again then.
  var isValidated = false

  /// A put of those fields.
  public init(
    collection: CollectionName, document: DocumentID, set: [DocumentField] = [],
    unset: [FieldPath] = [], undelete: Bool = false
  ) {
    self.collection = collection
    self.document = document
    self.set = set
    self.unset = unset
    self.undelete = undelete
  }
}

extension DocumentPut: Hashable {
  /// Whether both do the same.
  public static func == (a: DocumentPut, b: DocumentPut) -> Bool {
    a.document == b.document && a.collection == b.collection && a.set == b.set
      && a.unset == b.unset && a.undelete == b.undelete
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(collection)
    hasher.combine(document)
    hasher.combine(set)
    hasher.combine(unset)
    hasher.combine(undelete)
  }
}

/// What merges as one: a field, or a member of the field `metadata`.
public struct FieldPath: Hashable, Sendable {
  /// The field.
  public var name: FieldName
  /// The member within `metadata`, whose members merge one by one.
  public var member: FieldName?
  /// The path of a field, or of a member of `metadata`.
  public init(_ name: FieldName, member: FieldName? = nil) {
    self.name = name
    self.member = member
  }
}

/// A field with its value.
public struct DocumentField: Hashable, Sendable {
  /// Where.
  public var path: FieldPath
  /// What.
  public var value: JSONValue
  /// `path` with `value`.
  public init(_ path: FieldPath, _ value: JSONValue) {
    self.path = path
    self.value = value
  }
}

/// What a transaction's body says.
public struct TransactionBody: Hashable, Sendable {
  /// What the device had read of the log when it made the transaction.
  public var seen: Seen?
  /// The changes, in order.
  public var operations: [Operation]
  /// A body of those members.
  public init(seen: Seen?, operations: [Operation]) {
    self.seen = seen
    self.operations = operations
  }
}

/// The log as a transaction's writer saw it, which its readers check.
public struct Seen: Hashable, Sendable {
  /// The log.
  public var log: LogID
  /// Up to where it had been read.
  public var position: LogPosition
  /// The state digest there, at most once a sync.
  public var stateDigest: Hash256?
  /// What was read, and the digest of what it came to.
  public init(log: LogID, position: LogPosition, stateDigest: Hash256? = nil) {
    self.log = log
    self.position = position
    self.stateDigest = stateDigest
  }
}

/// The order of operations that decides which writer was last.
public struct Stamp: Hashable, Sendable {
  /// The entry's effective time.
  public var effectiveAt: Timestamp
  /// The device that made the transaction.
  public var device: DeviceID
  /// The transaction's place among the device's.
  public var deviceSequence: UInt64
  /// The operation's place in its transaction, from 0.
  public var index: UInt32
  /// A stamp of those members, compared in that order.
  public init(effectiveAt: Timestamp, device: DeviceID, deviceSequence: UInt64, index: UInt32) {
    self.effectiveAt = effectiveAt
    self.device = device
    self.deviceSequence = deviceSequence
    self.index = index
  }
}

extension Stamp: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Stamp, b: Stamp) -> Bool {
    if a.effectiveAt != b.effectiveAt { return a.effectiveAt < b.effectiveAt }
    if a.device != b.device { return a.device.value < b.device.value }
    if a.deviceSequence != b.deviceSequence { return a.deviceSequence < b.deviceSequence }
    return a.index < b.index
  }
}
