import FolioJSON

extension TransactionBody {
  /// The most bytes of a body, in every implementation, so that what is saved can be sent: 192 KiB.
  public static let byteLimit = 196_608

  /// The body's bytes, made once when it is saved: canonical JSON.
  ///
  /// Members in byte order, no white space. These bytes are stored, hashed, sent, kept and relayed.
  /// - Complexity: O(bytes).
  public func encoded() throws(BodyError) -> [UInt8] { try encodedWithPlaces().bytes }

  /// The body's bytes, and where in them each operation stands, in their order.
  ///
  /// - Complexity: O(bytes).
  package func encodedWithPlaces() throws(BodyError) -> (bytes: [UInt8], places: [Range<Int>]) {
    var writer = JSONWriter(capacity: operations.reduce(256) { $0 + $1.expectedByteCount })
    writer.beginObject()
    writer.name("operations")
    writer.beginArray()
    var places: [Range<Int>] = []
    places.reserveCapacity(operations.count)
    for operation in operations {
      // A comma stands before each but the first.
      let start = writer.byteCount + (places.isEmpty ? 0 : 1)
      do throws(JSONValueError) {
        try operation.write(to: &writer)
      } catch {
        throw .value(error)
      }
      places.append(start..<writer.byteCount)
    }
    writer.endArray()
    seen?.write(to: &writer)
    writer.endObject()
    let bytes = writer.finish()
    guard bytes.count <= Self.byteLimit else {
      throw .tooLarge(byteCount: bytes.count, limit: Self.byteLimit)
    }
    return (bytes, places)
  }

  /// The body of the void entry that a server makes of an id that is known already under another
  /// device or sequence.
  ///
  /// - Parameter first: The seq of the entry that has the id.
  public static func duplicateBody(first: UInt64) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("first")
    writer.integer(first)
    writer.name("reason")
    writer.string("duplicate")
    writer.endObject()
    return writer.finish()
  }

  /// The body of the placeholder that takes the place of a transaction that can never be accepted.
  ///
  /// - Parameter reason: A stable code.
  public static func placeholderBody(reason: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("reason")
    writer.string(reason)
    writer.endObject()
    return writer.finish()
  }
}

extension Seen {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.name("seen")
    writer.beginObject()
    if let stateDigest {
      writer.name("digest")
      writer.string(stateDigest)
    }
    writer.name("hash")
    writer.string(position.hash)
    writer.name("log")
    writer.string(hexadecimal: log.value)
    writer.name("seq")
    writer.integer(position.seq)
    writer.endObject()
  }
}

extension Operation {
  /// About as many bytes as the operation is written with, more rather than less, so that many of
  /// them are written without moving what stands there already.
  fileprivate var expectedByteCount: Int {
    guard case .put(let put) = self else { return 0 }
    return put.set.reduce(192) { sum, field in
      guard case .string(let text) = field.value else { return sum + 64 }
      return sum + 32 + text.utf8.count
    }
  }

  fileprivate func write(to writer: inout JSONWriter) throws(JSONValueError) {
    if case .unknown(_, let json) = self {
      writer.raw(json)
      return
    }
    writer.beginObject()
    switch self {
    case .adjust(let asset, let amount):
      writer.name("amount")
      writer.plainString(upTo: Amount.textByteLimit) { amount.writeText(to: $0) }
      writer.name("asset")
      writer.string(asset)
      writer.name("kind")
      writer.string("adjust")
    case .categorize(let asset, let category):
      writer.name("asset")
      writer.string(asset)
      writer.name("category")
      writer.string(category.spelling.text)
      writer.name("key")
      writer.string(category.key.text)
      writer.name("kind")
      writer.string("categorize")
    case .put(let put): try put.write(to: &writer)
    case .delete(let collection, let document):
      writer.name("collection")
      writer.string(collection.text)
      writer.name("document")
      writer.string(document)
      writer.name("kind")
      writer.string("delete")
    case .unknown: break
    }
    writer.endObject()
  }
}

extension DocumentPut {
  fileprivate func write(to writer: inout JSONWriter) throws(JSONValueError) {
    writer.name("collection")
    writer.string(collection.text)
    writer.name("document")
    writer.string(document)
    writer.name("kind")
    writer.string("put")
    if !set.isEmpty { try writeSet(to: &writer) }
    if undelete {
      writer.name("undelete")
      writer.bool(true)
    }
    if !unset.isEmpty { writeUnset(to: &writer) }
  }

  private func writeSet(to writer: inout JSONWriter) throws(JSONValueError) {
    writer.name("set")
    writer.beginObject()
    var isInMetadata = false
    for field in DocumentFields(of: self) {
      // Members of `metadata` stand together in this order, and within one object.
      if isInMetadata, field.path.member == nil {
        writer.endObject()
        isInMetadata = false
      }
      if let member = field.path.member {
        if !isInMetadata {
          writer.name(text: field.path.name.text)
          writer.beginObject()
          isInMetadata = true
        }
        writer.name(text: member.text)
      } else {
        writer.name(text: field.path.name.text)
      }
      try writer.value(field.value)
    }
    if isInMetadata { writer.endObject() }
    writer.endObject()
  }

  private func writeUnset(to writer: inout JSONWriter) {
    writer.name("unset")
    writer.beginArray()
    for path in unset.sorted() {
      guard let member = path.member else {
        writer.string(path.name.text)
        continue
      }
      writer.beginArray()
      writer.string(path.name.text)
      writer.string(member.text)
      writer.endArray()
    }
    writer.endArray()
  }
}
