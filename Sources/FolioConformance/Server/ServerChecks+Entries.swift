import FolioCrypto
import FolioDomain
import FolioWire

extension ServerCheck {
  /// Bodies, envelopes, the chain and time.
  static let entries = [
    ServerCheck("bodies are stored to the byte", "entry-3", "chain-2", "body-2") { server in
      let session = try server.logIn()
      let start = session.ready.head
      let bodies = [
        "{}", #"{"a":0.5,"b":"é\u0001\u2028","n":-9007199254740991}"#,
        "{\"e\u{301}\":1,\"\u{E9}\":\"\u{FFFF}\u{7F}/\"}", #"{"operations":[{"kind":"x.later"}]}"#,
      ].map { $0.replacing(#"\u2028"#, with: "\u{2028}") }
      let transactions = bodies.enumerated().map {
        Envelope.plain(session.device, UInt64($0 + 1), server.ids.transaction(), body: $1)
      }
      let ack = try session.push(transactions.map { PushedTransaction($0) })
      try expect(ack.results.map(\.status), is: bodies.map { _ in "ok" }, "the results")
      let entries = try session.read(after: start).map(\.transaction)
      try expect(entries == transactions, "a body or an envelope came back as another")
    },
    ServerCheck("sealed bodies are stored to the byte", "entry-3", "entry-1") { server in
      let session = try server.logIn()
      let sealed = Envelope(
        id: server.ids.transaction(), device: session.device, deviceSequence: 1,
        recordedAt: Timestamp(milliseconds: 0), form: .sealed, keyID: 7, body: [0, 255, 10, 13, 1])
      let ack = try session.push(sealed)
      try expect(ack.results.map(\.status), is: ["ok"], "the result")
      let entries = try session.read(after: session.ready.head)
      try expect(entries.map(\.transaction), is: [sealed], "what came back")
    },
    ServerCheck("a sealed body of 196,000 bytes, and not one more", "entry-2", "seal-3") { server in
      let session = try server.logIn()
      func sealed(_ count: Int, _ sequence: UInt64) -> Envelope {
        Envelope(
          id: server.ids.transaction(), device: session.device, deviceSequence: sequence,
          recordedAt: Timestamp(milliseconds: 0), form: .sealed,
          keyID: Wire.integerLimit, body: [UInt8](repeating: 0xA5, count: count))
      }
      let full = sealed(196_000, 1)
      try expect(try session.push(full).results.map(\.status), is: ["ok"], "the longest body")
      // As an entry, with all that it has around it, it is a line's right length still.
      let page = try session.pull(after: session.ready.head, maxBytes: 1)
      try expect(page.entries.first?.transaction == full, "the longest body did not come back")
      let push = Request.push(Push(transactions: [PushedTransaction(sealed(196_001, 2))]))
      switch try session.dialogue.answer(to: try session.dialogue.send(push)) {
      case .failure(let error): try expect(error.code, is: "too_long", "the code")
      case .success(.ack(let ack)):
        try expect(ack.results.map(\.status), is: ["rejected"], "the result of too long a body")
      case .success: throw CheckFailure("push was answered with something else")
      }
    },
    ServerCheck("envelopes that contradict themselves", "entry-1") { server in
      let dialogue = try server.logIn().dialogue
      for more in [#""keyId":1,"#, #""form":"sealed","#, #""bodyHash":"00","#] {
        let id = dialogue.nextID()
        let form = more.contains("form") ? "" : #""form":"plain","#
        try dialogue.send(
          #"{"id":\#(id.value),"transactions":[{"body":{},\#(more)"device":"\#(zeros)",\#(form)"#
            + #""id":"\#(zeros)","recordedAt":0,"sequence":1}],"type":"push"}"#)
        let answer = try dialogue.answer(to: id)
        // An unknown member of a transaction is passed over; it has no bodyHash.
        if more.contains("bodyHash") { continue }
        guard case .failure(let error) = answer else { throw CheckFailure("\(more) was taken") }
        try expect(["bad_value", "wrong_type", "missing_member"].contains(error.code), error.code)
      }
    },
    ServerCheck("a body of 196,608 bytes, and not one more", "entry-2") { server in
      let session = try server.logIn()
      func body(_ count: Int) -> String {
        #"{"x":"\#(String(repeating: "y", count: count - 8))"}"#
      }
      let full = Envelope.plain(
        session.device, 1, server.ids.transaction(), body: body(196_608))
      try expect(try session.push(full).results.map(\.status), is: ["ok"], "the longest body")
      let page = try session.pull(after: session.ready.head, maxBytes: 1)
      try expect(page.entries.first?.transaction == full, "the longest body did not come back")
      let long = Envelope.plain(session.device, 2, server.ids.transaction(), body: body(196_609))
      let push = Request.push(Push(transactions: [PushedTransaction(long)]))
      switch try session.dialogue.answer(to: try session.dialogue.send(push)) {
      case .failure(let error): try expect(error.code, is: "too_long", "the code")
      case .success(.ack(let ack)):
        try expect(ack.results.map(\.status), is: ["rejected"], "the result of too long a body")
      case .success: throw CheckFailure("push was answered with something else")
      }
    },
    ServerCheck("entries of a version that it does not know", "entry-4") { server in
      let session = try server.logIn()
      var transaction = Envelope.plain(session.device, 1, server.ids.transaction())
      transaction.version = 255
      let ack = try session.push(transaction)
      guard case .rejected(let reason) = ack.results[0] else {
        throw CheckFailure("an entry of version 255 is \(ack.results[0].status)")
      }
      try expect(reason, is: "entry_version", "the reason")
      transaction.version = 1
      try expect(try session.push(transaction).results.map(\.status), is: ["ok"], "the next")
    },
    ServerCheck("bodies that are not canonical", "body-1", "body-2") { server in
      let dialogue = try server.logIn().dialogue
      for (body, code) in bodies {
        let id = dialogue.nextID()
        let start = #"{"id":\#(id.value),"transactions":[{"body":"#
        let parts = body.split(separator: "^", omittingEmptySubsequences: false)
        try dialogue.send(
          start + parts.joined() + #","device":"\#(zeros)","form":"plain","id":"\#(zeros)","#
            + #""recordedAt":0,"sequence":1}],"type":"push"}"#)
        try dialogue.expectRequestRefused(
          id, code, at: start.utf8.count + parts[0].utf8.count, body)
      }
    },
    ServerCheck("no wrong clock stops anyone", "time-1", "time-2") { server in
      let session = try server.logIn()
      let times: [Int64] = [0, -9_007_199_254_740_991, 9_007_199_254_740_991]
      let ack = try session.push(
        times.enumerated().map {
          PushedTransaction(
            .plain(
              session.device, UInt64($0 + 1), server.ids.transaction(),
              recordedAt: Timestamp(milliseconds: $1)))
        })
      let accepted = try ack.results.map {
        try unwrap($0.place?.acceptedAt.milliseconds, "a strange recordedAt is \($0.status)")
      }
      try expect(accepted == accepted.sorted(), "acceptedAt goes back")
    },
  ]

  private static let zeros = String(repeating: "0", count: 32)

  /// Bodies with a fault; it is where the mark stands.
  private static let bodies = [
    (#"{^ }"#, "not_canonical"), (#"{"a":^ 1}"#, "not_canonical"),
    (#"{"b":1,^"a":2}"#, "not_canonical"), (#"{"a":"^\u0041"}"#, "not_canonical"),
    (#"{"a":"^\/"}"#, "not_canonical"), (#"{"a":"^\u001F"}"#, "not_canonical"),
    (#"{"a":^0.50}"#, "number_not_portable"), (#"{"a":^5e-1}"#, "number_not_portable"),
    (#"{"a":^-0}"#, "number_not_portable"), (#"{"a":^9007199254740992}"#, "number_not_portable"),
    (#"{"a":^0.1000000000000000055}"#, "number_not_portable"),
  ]
}
