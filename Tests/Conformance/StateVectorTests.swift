import FolioCrypto
import FolioDomain
import FolioJSON
import FolioWire
import Testing

@Suite("Vectors of data: bodies, and what logs come to")
struct StateVectorTests {
  @Test("Bodies that can be read, and those that cannot [read-1]")
  func bodies() throws {
    let vectors = try Published.objects("bodies.ndjson")
    #expect(vectors.count >= 100)
    for vector in vectors {
      let body = Array((vector.text("body") ?? "").utf8)
      var isReadable = true
      do {
        _ = try TransactionBody(decoding: body)
      } catch {
        isReadable = false
      }
      #expect(isReadable == vector.flag("readable"), "\(vector)")
    }
  }

  @Test(
    "Entries, their effective times and verdicts, and the state digest [merge-1] [eff-1] [rows-1]")
  func states() throws {
    let vectors = try Published.objects("state.ndjson")
    #expect(vectors.count >= 7)
    for vector in vectors {
      let account = AccountID(try Hash256(try #require(vector.text("account"))))
      var hash = LogChain.start(account: account, using: SHA256.self)
      var state = AcceptedState()
      var previous: [DeviceID: Timestamp] = [:]
      var times: [Int64] = []
      var verdicts: [String] = []
      var seq: UInt64 = 0
      for wire in try WireEntry.list(vector.list("entries")) {
        let entry = wire.logEntry(using: SHA256.self)
        seq = entry.seq
        hash = LogChain.next(after: hash, entry, using: SHA256.self)
        let device = entry.transaction.device
        let effect = EffectiveEntry(entry, previous: previous[device])
        previous[device] = effect.effectiveAt
        times.append(effect.effectiveAt.milliseconds)
        verdicts.append(effect.verdict.name)
        state.apply(entry, hash: hash)
      }
      #expect(times == vector.list("effectiveAt").compactMap(\.number), "\(vector)")
      #expect(verdicts == vector.texts("verdicts"), "\(vector)")
      let head = JSONObject(try #require(vector["head"]))
      #expect(head.text("hash") == hash.text, "\(vector)")
      #expect(head.number("seq") == Int64(seq), "\(vector)")
      #expect(
        state.digest(using: SHA256.self).value.text == vector.text("stateDigest"), "\(vector)")
      try checkOrder(vector, account)
    }
  }

  /// The state does not depend on the order, but for that of each device's entries [merge-6].
  private func checkOrder(_ vector: JSONObject, _ account: AccountID) throws {
    var hash = LogChain.start(account: account, using: SHA256.self)
    var chained: [(LogEntry, Hash256)] = []
    for wire in try WireEntry.list(vector.list("entries")) {
      let entry = wire.logEntry(using: SHA256.self)
      hash = LogChain.next(after: hash, entry, using: SHA256.self)
      chained.append((entry, hash))
    }
    let byDevice = Dictionary(grouping: chained) { $0.0.transaction.device }
    var state = AcceptedState()
    for device in byDevice.keys.sorted(by: { $0.value > $1.value }) {
      for (entry, hash) in byDevice[device] ?? [] { state.apply(entry, hash: hash) }
    }
    #expect(
      state.digest(using: SHA256.self).value.text == vector.text("stateDigest"), "\(vector)")
  }
}

extension JSONValue {
  var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}

extension EntryVerdict {
  /// The name in the vectors.
  var name: String {
    switch self {
    case .applies: "applies"
    case .void: "void"
    case .unreadable: "unreadable"
    case .needsNewerVersion: "waits"
    }
  }
}
