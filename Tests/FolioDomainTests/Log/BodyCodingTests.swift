import FolioDomain
import FolioJSON
import TestSupport
import Testing

@Suite("Bodies of transactions")
struct BodyCodingTests {
  private let document = "6a1f0c3e-9d42-4b7a-8f15-20c1d3e4f5a6"

  private func decode(_ text: String) throws(BodyError) -> TransactionBody {
    try TransactionBody(decoding: Array(text.utf8))
  }

  private func operations(_ operation: String) throws(BodyError) -> [FolioDomain.Operation] {
    try decode("{\"operations\":[\(operation)]}").operations
  }

  @Test("A body is canonical JSON, its members in byte order")
  func canonical() throws {
    let asset = try AssetKey("crypto:bitcoin")
    let put = DocumentPut(
      collection: .record, document: try DocumentID(document),
      set: [
        DocumentField(FieldPath(FieldName(unchecked: "title")), .string("Rent")),
        DocumentField(FieldPath(.metadata, member: FieldName(unchecked: "b")), .null),
        DocumentField(FieldPath(.metadata, member: FieldName(unchecked: "a")), .integer(1)),
        DocumentField(FieldPath(FieldName(unchecked: "zeta")), .bool(true)),
      ],
      unset: [
        FieldPath(.metadata, member: FieldName(unchecked: "old")),
        FieldPath(FieldName(unchecked: "subtitle")),
      ], undelete: true)
    let body = TransactionBody(
      seen: Seen(
        log: LogID(0xA), position: LogPosition(seq: 12, hash: .zero),
        stateDigest: Hash256(words: (0, 0, 0, 1))),
      operations: [
        .adjust(asset, try Amount("0.5")), .categorize(asset, try Category(named: "Träume")),
        .put(put), .delete(.record, try DocumentID(document)),
      ])
    let zeros = String(repeating: "0", count: 63)
    let expected = """
      {"operations":[{"amount":"0.5","asset":"crypto:bitcoin","kind":"adjust"},\
      {"asset":"crypto:bitcoin","category":"Träume","key":"träume","kind":"categorize"},\
      {"collection":"record","document":"\(document)","kind":"put",\
      "set":{"metadata":{"a":1,"b":null},"title":"Rent","zeta":true},"undelete":true,\
      "unset":[["metadata","old"],"subtitle"]},\
      {"collection":"record","document":"\(document)","kind":"delete"}],\
      "seen":{"digest":"\(zeros)1","hash":"\(zeros)0",\
      "log":"0000000000000000000000000000000a","seq":12}}
      """
    let bytes = try body.encoded()
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
    let decoded = try TransactionBody(decoding: bytes)
    #expect(try decoded.encoded() == bytes)
    #expect(decoded.seen == body.seen)
    #expect(decoded.operations[0] == body.operations[0])
    #expect(decoded.operations[1] == body.operations[1])
  }

  @Test("Everything that is written is read back to the same")
  func roundTrip() throws {
    var random = SeededRandom()
    for _ in 0..<300 {
      let operations = (0..<random.int(0...6)).map { _ in random.operation() }
      let body = TransactionBody(
        seen: random.one(in: 2)
          ? Seen(log: LogID(1), position: LogPosition(seq: 3, hash: .zero)) : nil,
        operations: operations)
      let bytes = try body.encoded()
      let decoded = try TransactionBody(decoding: bytes)
      #expect(decoded == body)
      #expect(try decoded.encoded() == bytes)
    }
  }

  @Test("An operation of an unknown kind is kept, byte for byte")
  func unknownKind() throws {
    let json = "{\"amount\":3,\"kind\":\"split\",\"ratio\":[1,{\"a\":2.5}]}"
    let body = try decode("{\"operations\":[\(json)]}")
    #expect(body.operations == [.unknown(kind: "split", json: Array(json.utf8))])
    #expect(try body.encoded() == Array("{\"operations\":[\(json)]}".utf8))
  }

  @Test("Members of the body itself that are not known are passed over")
  func unknownBodyMember() throws {
    #expect(try decode("{\"note\":[1],\"operations\":[]}").operations.isEmpty)
  }

  @Test(
    "A body that is not canonical is not read",
    arguments: [
      "", "[]", "null", "{}", "{\"operations\":[]} ", " {\"operations\":[]}",
      "{\"operations\": []}", "{\"seen\":null,\"operations\":[]}", "{\"operations\":[],}",
      "{\"operations\":[]}{}", "{\"operations\":{}}", "{\"operations\":[],\"seen\":{}}",
      "{\"operations\":[],\"operations\":[]}", "{\"operations\":[1]}", "{\"operations\":[{}]}",
      "{\"operations\":[{\"kind\":\"\"}]}", "{\"operations\":[{\"kind\":1}]}",
      "{\"operations\":[{\"kind\":\"\\u0061djust\"}]}", "{\"reason\":\"duplicate\"}",
    ])
  func notCanonical(text: String) {
    #expect(throws: BodyError.self) { try decode(text) }
  }

  @Test(
    "F36: what breaks a rule of an operation makes the body unreadable",
    arguments: [
      #"{"amount":0.5,"asset":"stock:A","kind":"adjust"}"#,
      #"{"amount":"0.50","asset":"stock:A","kind":"adjust"}"#,
      #"{"amount":"-0","asset":"stock:A","kind":"adjust"}"#,
      #"{"amount":"1e3","asset":"stock:A","kind":"adjust"}"#,
      #"{"amount":"100000000000000000000","asset":"stock:A","kind":"adjust"}"#,
      #"{"amount":"1","asset":"Stock:A","kind":"adjust"}"#,
      #"{"amount":"1","asset":"stock","kind":"adjust"}"#,
      #"{"amount":"1","asset":"stock:","kind":"adjust"}"#,
      #"{"amount":"1","asset":"stock:A","extra":1,"kind":"adjust"}"#,
      #"{"asset":"stock:A","kind":"adjust"}"#, #"{"amount":"1","kind":"adjust"}"#,
      #"{"asset":"stock:A","category":"","key":"a","kind":"categorize"}"#,
      #"{"asset":"stock:A","category":"A","kind":"categorize"}"#,
      #"{"asset":"stock:A","category":"A\nB","key":"a","kind":"categorize"}"#,
      #"{"collection":"Notes","document":"00000000-0000-0000-0000-000000000001","kind":"delete"}"#,
      #"{"collection":"notes","document":"00000000-0000-0000-0000-00000000000A","kind":"delete"}"#,
      #"{"collection":"notes","kind":"delete"}"#,
    ])
  func brokenRules(operation: String) {
    #expect(throws: BodyError.self) { try operations(operation) }
  }

  @Test(
    "F36: what breaks a rule of a put makes the body unreadable",
    arguments: [
      #""set":{"id":"x"}"#, #""set":{"createdAt":1}"#, #""set":{"metadata":1}"#,
      #""set":{"a":1.0}"#, #""set":{"a":1e2}"#, #""set":{"a":-0}"#, #""set":{"":1}"#,
      #""set":{"a":9007199254740993}"#, #""set":[]"#, #""undelete":false"#, #""undelete":1"#,
      #""unset":["b","a"]"#, #""unset":["a","a"]"#, #""unset":["metadata"]"#, #""unset":["id"]"#,
      #""unset":[["metadata"]]"#, #""unset":[["other","a"]]"#, #""unset":[1]"#,
      #""set":{"a":1},"unset":["a"]"#, #""more":1"#, #""zero":0"#,
    ])
  func brokenPuts(members: String) {
    let head = "\"collection\":\"notes\",\"document\":\"\(document)\",\"kind\":\"put\""
    #expect(throws: BodyError.self) { try operations("{\(head),\(members)}") }
    #expect(throws: Never.self) { try operations("{\(head)}") }
  }

  @Test("F35: an integer in a document is kept exactly, or the body is not read")
  func exactIntegers() throws {
    let head = "\"collection\":\"notes\",\"document\":\"\(document)\",\"kind\":\"put\""
    let found = try operations("{\(head),\"set\":{\"a\":9007199254740991}}")
    guard case .put(let put) = found.first else {
      Issue.record("no put")
      return
    }
    #expect(put.set.first?.value == .integer(9_007_199_254_740_991))
  }

  @Test("F37: the same member twice makes a body unreadable")
  func duplicateMembers() {
    #expect(throws: BodyError.self) {
      try operations(#"{"amount":"1","amount":"2","asset":"stock:A","kind":"adjust"}"#)
    }
  }

  @Test("F23: a body beyond 192 KiB is refused when it is saved, with the limit")
  func tooLarge() throws {
    let asset = try AssetKey("crypto:bitcoin")
    let one = FolioDomain.Operation.adjust(asset, try Amount("0.5"))
    let size = try TransactionBody(seen: nil, operations: [one]).encoded().count
    let each = try TransactionBody(seen: nil, operations: [one, one]).encoded().count - size
    let most = (TransactionBody.byteLimit - size) / each + 1
    let fits = TransactionBody(seen: nil, operations: Array(repeating: one, count: most))
    #expect(try fits.encoded().count <= 196_608)
    let over = TransactionBody(seen: nil, operations: Array(repeating: one, count: most + 1))
    #expect(throws: BodyError.tooLarge(byteCount: size + most * each, limit: 196_608)) {
      try over.encoded()
    }
  }

  @Test("A body nests no deeper than a line of the protocol has room for")
  func depth() throws {
    let head = "\"collection\":\"notes\",\"document\":\"\(document)\",\"kind\":\"put\""
    func put(_ levels: Int) -> String {
      let value =
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      return "{\(head),\"set\":{\"metadata\":{\"a\":\(value)}}}"
    }
    #expect(throws: Never.self) { try operations(put(24)) }
    #expect(throws: BodyError.self) { try operations(put(25)) }
  }

  @Test("A void entry's body names the first, a placeholder's the reason")
  func voidBodies() {
    #expect(
      String(decoding: TransactionBody.duplicateBody(first: 7), as: UTF8.self)
        == #"{"first":7,"reason":"duplicate"}"#)
    #expect(
      String(decoding: TransactionBody.placeholderBody(reason: "bodyTooLarge"), as: UTF8.self)
        == #"{"reason":"bodyTooLarge"}"#)
  }
}
