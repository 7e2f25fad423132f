import FolioCrypto
import FolioDomain
import FolioJSON
import Foundation
import Testing

/// The published vectors of what clients make of a log, which a second client holds too.
@Suite("Vectors of data: bodies, accepted state, snapshots and their digests")
struct DataVectorTests {
  @Test("each body is readable, or is not, as its vector says")
  func bodies() throws {
    let vectors = try DataVector.load("bodies.ndjson")
    #expect(vectors.count > 100)
    for vector in vectors {
      let body = Array(vector.text("body").utf8)
      let isReadable = (try? TransactionBody(decoding: body)) != nil
      #expect(isReadable == vector.flag("readable"), "\(vector.text("name"))")
    }
  }

  @Test("entries come to the rows, digests, snapshots and holdings that their vector says")
  func states() throws {
    let vectors = try DataVector.load("state.ndjson")
    #expect(vectors.count >= 7)
    for vector in vectors { try check(vector) }
  }

  @Test("each requirement of the data page is stated once, and what vectors name is stated")
  func requirements() throws {
    let page = try String(contentsOf: DataVector.folder.appending(path: "data.md"), encoding: .utf8)
    let other = try String(
      contentsOf: DataVector.folder.appending(path: "specification.md"), encoding: .utf8)
    let stated = Self.matches(page + other, #/\*\*\[([a-z]+-[0-9]+)\]/#)
    #expect(Set(stated).count == stated.count, "a requirement is stated twice")
    #expect(Set(Self.matches(page, #/\[([a-z]+-[0-9]+)\]/#)).isSubset(of: stated))
    for file in ["bodies.ndjson", "state.ndjson"] {
      let named = try DataVector.load(file).flatMap { $0.list("requirements").map(\.text) }
      #expect(Set(named).isSubset(of: stated))
    }
  }

  private static func matches(
    _ text: String, _ pattern: Regex<(Substring, Substring)>
  ) -> [String] {
    text.matches(of: pattern).map { String($0.output.1) }
  }

  private func check(_ vector: DataVector) throws {
    let name = vector.text("name")
    let account = AccountID(try Hash256(vector.text("account")))
    var hash = LogChain.start(account: account, using: SHA256.self)
    var state = AcceptedState()
    let expected = zip(vector.list("effectiveAt"), vector.list("verdicts"))
    for (members, (effectiveAt, verdict)) in zip(vector.list("entries"), expected) {
      let entry = try members.entry
      hash = LogChain.next(after: hash, entry, using: SHA256.self)
      let device = entry.transaction.device
      let effect = EffectiveEntry(entry, previous: state.devices[device]?.effectiveAt)
      state.apply(entry, hash: hash)
      #expect(effect.effectiveAt.milliseconds == effectiveAt.number, "\(name): \(entry.seq)")
      #expect(effect.verdict.word == verdict.text, "\(name): \(entry.seq)")
    }
    #expect(hash.text == vector["head"].text("hash"), "\(name)")
    #expect(state.digest(using: SHA256.self).description == vector.text("stateDigest"), "\(name)")
    #expect(rows(of: state).sorted() == vector.list("rows").map(\.text), "\(name)")
    let market = vector["market"]
    let through = Slot(index: market.number("through"))
    #expect(try snapshots(of: state, market) == vector.list("snapshots").map(\.json), "\(name)")
    let portfolio = Overlay(state, through: through).portfolio
    let holdings = portfolio.holdings.map { holding in
      [
        holding.asset.text, Value(units: holding.amount).text, holding.category.key.text,
        portfolio.spelling(of: holding.category.key)?.text,
      ]
    }
    let stated = vector.list("holdings").map { row in
      ["asset", "amount", "key", "category"].map { Optional(row.text($0)) }
    }
    #expect(holdings == stated, "\(name)")
  }

  private func rows(of state: AcceptedState) -> [String] {
    let rows: [any StateRow] =
      state.history.map { HistoryRow($0.key, $0.value) }
      + state.documents.map { DocumentRow($0.key, $0.value) }
      + state.devices.map { DeviceRow($0.key, $0.value) }
    return rows.map { row in
      var bytes = CanonicalBytes()
      row.appendCanonicalBytes(to: &bytes)
      return bytes.bytes.map { String(format: "%02x", $0) }.joined()
    }
  }

  private func snapshots(of state: AcceptedState, _ market: DataVector) throws -> [JSONValue] {
    let through = Slot(index: market.number("through"))
    guard let first = state.firstEffectiveAt,
      let slots = Slot.snapshots(firstEffectiveAt: first, through: through)
    else { return [] }
    let rows = try market.list("assets").map { try $0.assetInfo }
    let rules = PricingRules(base: market.text("base"), successions: Successions(rows))
    let tables = try market.list("tables").map { try $0.table }
    let changes = state.history.map { HoldingChange($0.key, $0.value) }
      .sorted { ($0.slot, $0.asset) < ($1.slot, $1.asset) }
    var walker = SnapshotWalker(at: slots.lowerBound, rules: rules)
    var found: [JSONValue] = []
    walker.walk(through: slots.upperBound, changes: changes, tables: tables) { walker in
      let digest = walker.digest(using: SHA256.self)
      #expect(SnapshotDigest.digest(of: walker.snapshot(), using: SHA256.self) == digest)
      found.append(
        .object([
          JSONMember("digest", .string(digest.text)),
          JSONMember("slot", .integer(walker.slot.index)),
          JSONMember("value", .string(walker.totals().value.text)),
        ]))
    }
    return found
  }
}

/// A JSON value of a vector, read with little ceremony: what is not there is empty.
struct DataVector {
  let json: JSONValue

  /// The folder of version 1; `PROTOCOL_DIR` in the environment names another Protocol folder.
  static let folder: URL = {
    let root =
      ProcessInfo.processInfo.environment["PROTOCOL_DIR"].map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Protocol")
    return root.appending(path: "v1")
  }()

  static func load(_ file: String) throws -> [DataVector] {
    let data = try Data(contentsOf: folder.appending(path: "vectors/\(file)"))
    return try data.split(separator: 0x0A).map {
      DataVector(json: try JSONValue(parsing: Array($0)))
    }
  }

  subscript(name: String) -> DataVector { member(name).map(DataVector.init) ?? self }

  private func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = json else { return nil }
    return members.first { $0.name == name }?.value
  }

  var text: String { if case .string(let text) = json { text } else { "" } }
  var number: Int64 { if case .integer(let number) = json { number } else { 0 } }
  func text(_ name: String) -> String { member(name).map { DataVector(json: $0).text } ?? "" }
  func number(_ name: String) -> Int64 { member(name).map { DataVector(json: $0).number } ?? 0 }
  func flag(_ name: String) -> Bool { member(name) == .bool(true) }

  var elements: [DataVector] {
    if case .array(let elements) = json { elements.map(DataVector.init) } else { [] }
  }
  func list(_ name: String) -> [DataVector] {
    member(name).map { DataVector(json: $0).elements } ?? []
  }

  private func bits(_ name: String) throws -> UInt128 {
    try #require(UInt128(text(name), radix: 16))
  }

  /// The entry that the members say.
  var entry: LogEntry {
    get throws {
      let isSealed = text("form") == "sealed"
      let body =
        isSealed
        ? Array(try #require(Data(base64Encoded: text("body"))))
        : try self["body"].json.canonicalBytes
      var hasher = SHA256()
      body.withUnsafeBytes { hasher.update($0) }
      let version = member("version") == nil ? 1 : number("version")
      let transaction = Envelope(
        version: UInt8(version), id: TransactionID(try bits("id")),
        device: DeviceID(try bits("device")), deviceSequence: UInt64(number("sequence")),
        recordedAt: Timestamp(milliseconds: number("recordedAt")),
        form: isSealed ? .sealed : .plain, keyID: UInt64(number("keyId")), body: body)
      return LogEntry(
        seq: UInt64(number("seq")), acceptedAt: Timestamp(milliseconds: number("acceptedAt")),
        kind: text("kind") == "void" ? .void : .accepted, transaction: transaction,
        bodyHash: hasher.finalize())
    }
  }

  /// The price table that the members say.
  var table: PriceTable {
    get throws {
      let prices = try list("prices").map { row in
        PricedAsset(
          asset: try AssetKey(row.elements[0].text + ":" + row.elements[1].text),
          price: try Price(wire: row.elements[2].text))
      }
      return PriceTable(
        slot: Slot(index: number("slot")), prices: prices.sorted { $0.asset < $1.asset })
    }
  }

  /// The row of an asset table that the members say.
  var assetInfo: AssetInfo {
    get throws {
      let successor = member("successor") == nil ? nil : self["successor"]
      return AssetInfo(
        asset: try AssetKey(text("type") + ":" + text("id")), symbol: text("symbol"),
        name: text("name"),
        successor: try successor.map {
          Successor(
            id: try AssetID(validating: $0.text("id")), factor: try Price(wire: $0.text("factor")),
            fromSlot: Slot(index: $0.number("fromSlot")))
        })
    }
  }
}

extension EntryVerdict {
  /// The word of the vectors.
  fileprivate var word: String {
    switch self {
    case .applies: "applies"
    case .void: "void"
    case .unreadable: "unreadable"
    case .needsNewerVersion: "waits"
    }
  }
}
