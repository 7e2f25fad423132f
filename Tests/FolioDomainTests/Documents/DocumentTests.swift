import FolioDomain
import FolioJSON
import TestSupport
import Testing

@Suite("Documents")
struct DocumentTests {
  private let key = DocumentKey(
    collection: CollectionName(unchecked: "notes"), id: DocumentID(1))

  private func put(
    _ fields: String, unset: [String] = [], undelete: Bool = false
  ) throws -> FolioDomain.Operation {
    .put(
      try DocumentPut(
        collection: key.collection, document: key.id, fields: try JSONValue(parsing: fields),
        unset: try unset.map { try FieldPath(validating: $0) }, undelete: undelete))
  }

  private func fields(_ document: Document?) throws -> String {
    String(decoding: try #require(document).fields.canonicalBytes, as: UTF8.self)
  }

  private func time(_ hour: Int) -> Timestamp {
    Timestamp(milliseconds: 1_772_348_400_000 + Int64(hour) * 3_600_000)
  }

  private var delete: FolioDomain.Operation { .delete(key.collection, key.id) }

  /// A document after operations, an hour apart, each of another device.
  private func document(after operations: [FolioDomain.Operation]) throws -> Document? {
    var log = LogBuilder()
    for (hour, operation) in operations.enumerated() {
      try log.append(
        [operation], by: UInt128(hour + 1), recordedAt: time(hour), acceptedAt: time(hour))
    }
    return Overlay(log.state, through: nil).document(key)
  }

  @Test("Fields merge one by one, the members of metadata too; unset is a value like others")
  func fieldsMerge() throws {
    let document = try document(after: [
      put(#"{"a":1,"b":2,"metadata":{"x":1,"y":2}}"#), put(#"{"b":null,"metadata":{"y":3}}"#),
      put("{}", unset: ["a", "metadata.x"]),
    ])
    #expect(try fields(document) == #"{"b":null,"metadata":{"y":3}}"#)
  }

  @Test("A put that was checked is checked again once it has changed")
  func checkedAgain() throws {
    let (a, b) = (FieldPath(FieldName(unchecked: "a")), FieldPath(FieldName(unchecked: "b")))
    let fields = [DocumentField(b, .integer(1)), DocumentField(a, .double(2))]
    let plain = DocumentPut(collection: key.collection, document: key.id, set: fields)
    var put = try plain.validated()
    let inOrder = [DocumentField(a, .integer(2)), DocumentField(b, .integer(1))]
    #expect(put.set == inOrder)
    #expect(try put.validated() == put)
    // Whether a put was checked is no part of what it is.
    let same = DocumentPut(collection: key.collection, document: key.id, set: inOrder)
    #expect(put == same)
    #expect(Set([put, same]).count == 1)
    put.set.append(DocumentField(a, .null))
    #expect(throws: DocumentError.duplicateMember(path: "/a")) { try put.validated() }
    put.set = fields
    put.unset = [a]
    #expect(throws: DocumentError.setAndUnset(path: "/a")) { try put.validated() }
    put.unset = []
    #expect(try put.validated().set == inOrder)
    put.set[0].value = .double(.infinity)
    #expect(throws: DocumentError.numberNotPortable(path: "/b")) { try put.validated() }
  }

  @Test("The last writer wins field by field, whichever entry arrives last")
  func lastWriter() throws {
    var log = LogBuilder()
    try log.append([put(#"{"a":"late","b":1}"#)], by: 1, recordedAt: time(5), acceptedAt: time(9))
    try log.append([put(#"{"a":"early","c":1}"#)], by: 2, recordedAt: time(1), acceptedAt: time(9))
    try log.append(
      [put("{}", unset: ["b"])], by: 3, recordedAt: time(4), acceptedAt: time(9))
    let document = Overlay(log.state, through: nil).document(key)
    #expect(try fields(document) == #"{"a":"late","b":1,"c":1}"#)
  }

  @Test("createdAt and updatedAt are the first and last effective times of its operations")
  func times() throws {
    var log = LogBuilder()
    try log.append([put(#"{"a":1}"#)], by: 1, recordedAt: time(3), acceptedAt: time(9))
    try log.append([put(#"{"b":1}"#)], by: 2, recordedAt: time(1), acceptedAt: time(9))
    let document = try #require(Overlay(log.state, through: nil).document(key))
    #expect(document.createdAt == time(1))
    #expect(document.updatedAt == time(3))
    #expect(document.isPending == false)
  }

  /// Holds [over-3].
  @Test("While pending, the times are those recorded, and are marked so")
  func pendingTimes() throws {
    var outbox = Outbox()
    try outbox.save([put(#"{"a":1}"#)])
    try outbox.save([put(#"{"a":2}"#)])
    let pending = try #require(
      Overlay(AcceptedState(), through: nil, pending: outbox.pending).document(key))
    #expect(pending.isPending)
    #expect(pending.createdAt == outbox.pending[0].recordedAt)
    #expect(pending.updatedAt == outbox.pending[1].recordedAt)
    #expect(try fields(pending) == #"{"a":2}"#)
    var log = LogBuilder()
    try log.append([put(#"{"b":1}"#)], recordedAt: time(0), acceptedAt: time(0))
    let both = try #require(
      Overlay(log.state, through: nil, pending: outbox.pending).document(key))
    #expect(both.createdAt == time(0))
    #expect(both.updatedAt == outbox.pending[1].recordedAt)
    #expect(both.isPending)
    #expect(try fields(both) == #"{"a":2,"b":1}"#)
  }

  @Test("F63: deleting is soft, sets isDeleted and moves updatedAt; it is an operation that syncs")
  func deleting() throws {
    let deleted = try #require(try document(after: [put(#"{"a":1}"#), delete]))
    #expect(deleted.isDeleted)
    #expect(deleted.updatedAt == time(1))
    #expect(try fields(deleted) == #"{"a":1}"#)
    let staged = try StagedEdits.operations(
      for: [.deleteDocument(key)],
      on: Overlay(AcceptedState(), through: nil, pending: [pendingPut()]))
    #expect(staged == [delete])
  }

  private func pendingPut() throws -> Envelope {
    var outbox = Outbox()
    try outbox.save([put(#"{"a":1}"#)])
    return outbox.pending[0]
  }

  @Test("A later put does not undelete unless it says so")
  func undeleting() throws {
    let still = try #require(try document(after: [put("{}"), delete, put(#"{"a":1}"#)]))
    #expect(still.isDeleted)
    let back = try #require(
      try document(after: [put("{}"), delete, put("{}", undelete: true)]))
    #expect(back.isDeleted == false)
    let again = try #require(
      try document(after: [put("{}"), delete, put("{}", undelete: true), delete]))
    #expect(again.isDeleted)
  }

  @Test("Reading hides the deleted unless asked")
  func hidden() throws {
    var log = LogBuilder()
    try log.append([put("{}"), delete])
    let other = DocumentPut(collection: key.collection, document: DocumentID(2))
    try log.append([.put(other)])
    let overlay = Overlay(log.state, through: nil)
    #expect(overlay.documents(in: key.collection).map(\.key.id) == [DocumentID(2)])
    #expect(overlay.documents(in: key.collection, includingDeleted: true).count == 2)
    #expect(overlay.documents(in: .record).isEmpty)
  }

  @Test("Deleting what never was is refused; deleting twice changes nothing")
  func deletingTwice() throws {
    var log = LogBuilder()
    #expect(throws: EditError.documentNotFound) {
      try StagedEdits.operations(
        for: [.deleteDocument(key)], on: Overlay(log.state, through: nil))
    }
    try log.append([put("{}"), delete])
    let deleted = Overlay(log.state, through: nil)
    #expect(try StagedEdits.operations(for: [.deleteDocument(key)], on: deleted).isEmpty)
  }

  @Test("Unsetting metadata as a whole unsets each member that is there")
  func unsetMetadata() throws {
    var log = LogBuilder()
    try log.append([put(#"{"metadata":{"x":1,"y":2}}"#)])
    let overlay = Overlay(log.state, through: nil)
    guard case .put(let request) = try put(#"{"metadata":{"y":3}}"#, unset: ["metadata"]) else {
      return
    }
    let operations = try StagedEdits.operations(for: [.put(request)], on: overlay)
    guard case .put(let written) = operations.first else {
      Issue.record("no put")
      return
    }
    #expect(written.unset.map(\.pointer) == ["/metadata/x"])
    #expect(written.set.map(\.path.pointer) == ["/metadata/y"])
  }

  @Test("A document's fields are an object in byte order, metadata in its place")
  func fieldOrder() throws {
    let document = try document(after: [
      put(#"{"zeta":1,"metadata":{"b":1,"a":2},"Z":0,"é":3,"metadat":4,"metadatb":5}"#)
    ])
    #expect(
      try fields(document)
        == #"{"Z":0,"metadat":4,"metadata":{"a":2,"b":1},"metadatb":5,"zeta":1,"é":3}"#)
  }
}
