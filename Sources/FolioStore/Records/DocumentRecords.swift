internal import FolioCrypto
internal import FolioDomain
internal import FolioJSON

/// A document as it is stored: accepted state, and what lists order it by.
struct DocumentRecord {
  /// What is kept of the log's operations; nil while all of them are pending.
  var accepted: DocumentState?
  /// What the document is listed by, what is pending laid over it.
  var listing: DocumentListing

  /// The stored bytes.
  ///
  /// Every value was checked when it was saved, or when the body it came in was read.
  func encoded() throws(JSONValueError) -> [UInt8] {
    var writer = RecordWriter(reserving: accepted == nil ? 64 : 512)
    listing.encode(&writer)
    writer.append(accepted != nil)
    try accepted?.encode(&writer)
    return writer.bytes
  }

  init(accepted: DocumentState?, listing: DocumentListing) {
    self.accepted = accepted
    self.listing = listing
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    listing = try DocumentListing(&reader)
    accepted = try reader.readBool() ? try reader.readDocumentState() : nil
    try reader.finish()
  }
}

/// What a document is listed by.
struct DocumentListing: Hashable {
  var createdAt: Timestamp
  var updatedAt: Timestamp
  var isDeleted: Bool
  var isPending: Bool
  /// Stands for the text of the field `type`, where there is one.
  var type: UInt128?

  /// - Parameter number: Gives what stands for a type's text.
  init(_ document: Document, _ number: (String) -> UInt128 = Self.number(ofType:)) {
    createdAt = document.createdAt
    updatedAt = document.updatedAt
    isDeleted = document.isDeleted
    isPending = document.isPending
    if case .string(let text) = document[FieldPath(.type)] { type = number(text) }
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    createdAt = try reader.readTimestamp()
    updatedAt = try reader.readTimestamp()
    isDeleted = try reader.readBool()
    isPending = try reader.readBool()
    type = try reader.readBool() ? try reader.readUInt128() : nil
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(createdAt)
    writer.append(updatedAt)
    writer.append(isDeleted)
    writer.append(isPending)
    writer.append(type) { $0.append($1) }
  }

  /// The first half of the text's SHA-256: any text may be a type, and a key has its limits.
  static func number(ofType text: String) -> UInt128 {
    let words = SHA256.hash(ofUTF8: text).words
    return UInt128(words.0) << 64 | UInt128(words.1)
  }
}

extension FieldName {
  /// The field that lists can be narrowed by.
  static let type = FieldName(unchecked: "type")
}

extension DocumentState {
  func encode(_ writer: inout RecordWriter) throws(JSONValueError) {
    writer.append(firstEffectiveAt)
    writer.append(lastEffectiveAt)
    writer.append(deletion) {
      $0.append($1.isDeleted)
      $0.append($1.stamp)
    }
    writer.append(varint: UInt64(fields.count))
    // In an order of their own: the same state is the same bytes in every process.
    for (path, field) in fields.sorted(by: { $0.key < $1.key }) {
      writer.append(path)
      writer.append(field.stamp)
      writer.append(field.value != nil)
      if let value = field.value { writer.append(counted: try value.canonicalBytes) }
    }
  }
}

/// A document as it is stored, read for what is shown of it.
struct ShownDocumentRecord {
  var accepted: AcceptedDocument?
  var listing: DocumentListing

  init(_ reader: inout RecordReader) throws(StoreError) {
    listing = try DocumentListing(&reader)
    accepted = try reader.readBool() ? try reader.readAcceptedDocument() : nil
    try reader.finish()
  }
}

extension RecordReader {
  /// What `readDocumentState` reads, without the stamps.
  fileprivate mutating func readAcceptedDocument() throws(StoreError) -> AcceptedDocument {
    let first = try readTimestamp()
    let last = try readTimestamp()
    var isDeleted = false
    if try readBool() {
      isDeleted = try readBool()
      _ = try readStamp()
    }
    let count = try readCount()
    var fields: [DocumentField] = []
    // A field takes a byte at least: what the count says is not trusted further.
    fields.reserveCapacity(min(count, remaining))
    for _ in 0..<count {
      let path = try readFieldPath()
      _ = try readStamp()
      if try readBool() { fields.append(DocumentField(path, try readJSON())) }
    }
    return AcceptedDocument(
      firstEffectiveAt: first, lastEffectiveAt: last, isDeleted: isDeleted,
      fields: DocumentFields(fields))
  }

  mutating func readDocumentState() throws(StoreError) -> DocumentState {
    let first = try readTimestamp()
    let last = try readTimestamp()
    var deletion: StampedDeletion?
    if try readBool() {
      let isDeleted = try readBool()
      deletion = StampedDeletion(isDeleted: isDeleted, stamp: try readStamp())
    }
    var fields: [FieldPath: StampedField] = [:]
    for _ in 0..<(try readCount()) {
      let path = try readFieldPath()
      let stamp = try readStamp()
      let value = try readBool() ? try readJSON() : nil
      fields[path] = StampedField(value, stamp: stamp)
    }
    return DocumentState(
      firstEffectiveAt: first, lastEffectiveAt: last, fields: fields, deletion: deletion)
  }

  mutating func readFieldPath() throws(StoreError) -> FieldPath {
    let name = FieldName(unchecked: try readText())
    return FieldPath(name, member: try readBool() ? FieldName(unchecked: try readText()) : nil)
  }

  private mutating func readJSON() throws(StoreError) -> JSONValue {
    let bytes = try readCountedSpan()
    do throws(JSONError) {
      var reader = JSONReader(bytes, .document)
      let value = try reader.readValue()
      try reader.finish()
      return value
    } catch {
      throw unreadable
    }
  }
}

extension RecordWriter {
  mutating func append(_ path: FieldPath) {
    append(text: path.name.text)
    append(path.member) { $0.append(text: $1.text) }
  }
}
