internal import FolioCrypto
package import FolioDomain
import FolioJSON
package import FolioStore
package import TestSupport

/// A store, the server's log it reads, and the model of both.
package struct RandomWorld {
  package var random: SeededRandom
  package let fixture: StoreFixture
  package var log = TestLog()
  package var model = StoreModel()
  package let others = [DeviceID(11), DeviceID(12)]
  package var nextID: UInt64 = 1
  package var revision: UInt64 = 0
  package var epoch: UInt64 = 1
  /// Whether the model misses what is saved: the control of the comparison.
  package var isForgetful = false

  package init(_ random: SeededRandom, in place: PlaceKind) throws {
    self.random = random
    fixture = try StoreFixture(seed: random.seed, in: place)
    let log = log
    try fixture.store.write { transaction in
      try transaction.join(account: log.account, server: 1, log: log.id)
      try transaction.declare(try IndexModel.index())
    }
  }

  package var store: Store { fixture.store }
  package var now: Timestamp { fixture.clock.now() }

  /// Does the step of that number, and holds the store against the model after it.
  ///
  /// - Throws: ``ModelDifference`` where they are not the same.
  package mutating func step(_ number: Int) throws {
    do {
      try act()
      try model.expectSame(as: store)
    } catch {
      throw ModelDifference("seed \(random.seed), step \(number): \(error)")
    }
  }

  private mutating func act() throws {
    fixture.clock.advance(milliseconds: Int64(random.int(0...30_000_000)))
    switch random.int(0...19) {
    case 0...4: try save()
    case 5...8: try appendForeign()
    case 9, 10: try push()
    case 11...13: try pull()
    case 14: try readPrices()
    case 15: try giveUp()
    case 16: if random.one(in: 4) { try takeNewIdentity() }
    case 18: if random.one(in: 3) { try readAnotherMarket() } else { try readAssetTable() }
    case 17: if random.one(in: 4) { try readAnotherLog() } else { try fixture.reopen() }
    default: try makeSnapshots()
    }
  }

  /// Brings both to the log's end, compares once more, and checks every rule of the store.
  package mutating func finish() throws {
    do {
      try push()
      try pull()
      try readPrices()
      try makeSnapshots()
      try model.expectSame(as: store)
      try expectEqual(try store.verify().problems, [], "broken rules")
    } catch {
      throw ModelDifference("seed \(random.seed), at the end: \(error)")
    }
  }

  // MARK: Edits

  private mutating func save() throws {
    let edits = (0..<random.int(1...4)).map { _ in randomEdit() }
    let expected = Result { try StagedEdits.operations(for: edits, on: model.overlay) }
    let saved = Result { try store.write { try $0.save(edits) } }
    switch (expected, saved) {
    case (.success(let operations), .success(let saved)):
      try expectEqual(saved.operationCount, operations.count, "how much was saved")
      try expectEqual(saved.transaction == nil, operations.isEmpty, "whether anything was saved")
      guard let id = saved.transaction else { return }
      let last = try store.read {
        try $0.pending(after: $0.status().lastSequence - 1, maxCount: 1, maxByteCount: .max)
      }
      guard let entry = last.first, entry.transaction.id == id else {
        throw ModelDifference("what was saved is not the last of the outbox")
      }
      let body = try TransactionBody(decoding: entry.transaction.body)
      try expectEqual(body.operations, operations, "the operations saved")
      if !isForgetful { model.pending.append(entry) }
    case (.failure(let a), .failure(let b)):
      try expectEqual(String(describing: b), String(describing: a), "why it was refused")
    default: throw ModelDifference("model: \(expected), store: \(saved)")
    }
  }

  private mutating func randomEdit() -> Edit {
    let asset = random.pick(TestWorld.assets)
    let amount = randomAmount()
    switch random.int(0...9) {
    case 0...3:
      return .add(
        asset, amount, category: random.one(in: 2) ? random.pick(TestWorld.categories) : nil)
    case 4: return .set(asset, amount < .zero ? .zero : amount)
    case 5: return .move(asset, to: random.pick(TestWorld.categories))
    case 6: return .delete(asset)
    case 7:
      return .renameCategory(
        random.pick(TestWorld.categories).key, to: random.pick(TestWorld.categories))
    case 8: return .put(randomPut())
    default:
      return .deleteDocument(
        DocumentKey(collection: TestWorld.collection, id: random.pick(TestWorld.documents)))
    }
  }

  private mutating func randomAmount() -> Amount {
    Amount(units: Int128(random.int(-3...6)) * 500_000_000_000_000_000) ?? .zero
  }

  private mutating func randomPut() -> DocumentPut {
    var put = DocumentPut(
      collection: TestWorld.collection, document: random.pick(TestWorld.documents),
      undelete: random.one(in: 4))
    for name in TestWorld.fields where random.one(in: 2) {
      let member = name == .metadata ? FieldName(unchecked: "m\(random.int(0...2))") : nil
      let path = FieldPath(name, member: member)
      if random.one(in: 4) {
        put.unset.append(path)
      } else {
        let value: JSONValue =
          random.one(in: 3) ? .null : .string(random.pick(["x", "y", "a\u{301}"]))
        put.set.append(DocumentField(path, value))
      }
    }
    put.set.sort { $0.path < $1.path }
    put.unset.sort()
    return put
  }

  // MARK: The log

  /// Another device's transaction reaches the server; its clock may be days off.
  private mutating func appendForeign() throws {
    let device = random.pick(others)
    let recordedAt = now.adding(milliseconds: Int64(random.int(-2_000_000_000...4_000_000)))
    nextID += 1
    if random.one(in: 10) {
      try log.append(
        device: device, id: nextID, recordedAt: recordedAt, acceptedAt: now,
        body: Array("{\"operations\":[{}]}".utf8))
      return
    }
    var operations: [FolioDomain.Operation] = []
    for _ in 0..<random.int(1...3) { operations.append(randomOperation()) }
    let seen = Seen(log: log.id, position: log.head)
    try log.append(
      device: device, id: nextID, recordedAt: recordedAt, acceptedAt: now,
      kind: random.one(in: 12) ? .void : .accepted, seen: seen, operations)
  }

  private mutating func randomOperation() -> FolioDomain.Operation {
    let asset = random.pick(TestWorld.assets)
    switch random.int(0...6) {
    case 0...2: return .adjust(asset, randomAmount())
    case 3: return .categorize(asset, random.pick(TestWorld.categories))
    case 4: return .put(randomPut())
    case 5: return .delete(TestWorld.collection, random.pick(TestWorld.documents))
    default: return .unknown(kind: "later", json: Array("{\"kind\":\"later\"}".utf8))
    }
  }

  /// The server takes some of what is pending, and finds some of it void.
  private mutating func push() throws {
    let device = try store.read { try $0.status().device }
    let known = Set(log.entries.map(\.entry.transaction.id))
    let taken =
      log.entries.last { $0.entry.transaction.device == device }?
      .entry.transaction.deviceSequence ?? 0
    for pending in model.pending where pending.transaction.deviceSequence > taken {
      if random.one(in: 4) { return }
      if let first = known.contains(pending.transaction.id) ? 1 : nil as UInt64? {
        var envelope = pending.transaction
        envelope.body = TransactionBody.duplicateBody(first: first)
        log.accept(envelope, at: now, kind: .void)
      } else {
        let isVoid = pending.isVoid || random.one(in: 10)
        log.accept(pending.transaction, at: now, kind: isVoid ? .void : .accepted)
      }
    }
  }

  private mutating func pull() throws {
    while let page = nextPage() {
      let stable = random.one(in: 3) ? UInt64(random.int(0...log.entries.count)) : nil
      try store.write { try $0.apply(page, stable: stable) }
      model.apply(page)
      if random.one(in: 5) { return }
    }
  }

  private mutating func nextPage() -> [ChainedEntry]? {
    let page = log.page(after: model.position?.seq ?? 0, limit: random.int(1...7))
    return page.isEmpty ? nil : page
  }

  /// A transaction of this device can never be accepted.
  private mutating func giveUp() throws {
    guard let index = model.pending.indices.randomElement(using: &random) else { return }
    let id = model.pending[index].transaction.id
    try store.write { try $0.void(id, reason: "tooOdd") }
    model.pending[index].isVoid = true
    model.pending[index].transaction.body = TransactionBody.placeholderBody(reason: "tooOdd")
  }

  private mutating func takeNewIdentity() throws {
    let device = try store.write { try $0.takeNewIdentity() }
    model.renumber(device)
  }

  /// The store reads a log that parted from its own, beside its state, and swaps.
  private mutating func readAnotherLog() throws {
    var other = TestLog()
    let kept = Int(random.int(0...log.entries.count))
    let device = try store.read { try $0.status().device }
    for chained in log.entries.prefix(kept) {
      other.accept(
        chained.entry.transaction, at: chained.entry.acceptedAt, kind: chained.entry.kind)
    }
    // What the store sent counts as sent only where the other log has it.
    let lost = log.entries.dropFirst(kept).contains { $0.entry.transaction.device == device }
    if lost { return }
    log = other
    let entries = log.entries
    let id = log.id
    try store.write { transaction in
      try transaction.beginRebuild()
      try transaction.stage(entries)
    }
    try model.expectSame(as: store)
    _ = try store.write { try $0.finishRebuild(log: id, stable: 0) }
    model.accepted = AcceptedState()
    model.position = nil
    model.apply(entries)
  }
}
