import FolioDomain
import FolioJSON
import TestSupport
import Testing

extension SeededRandom {
  /// An edit of any kind, that may or may not be possible.
  mutating func edit() -> Edit {
    switch int(0...9) {
    case 0...2: .add(asset(), signedAmount(), category: one(in: 3) ? category() : nil)
    case 3: .set(asset(), positiveAmount())
    case 4...5: .move(asset(), to: category())
    case 6: .delete(asset())
    case 7: .renameCategory(category().key, to: category())
    case 8: .put(put())
    default: .deleteDocument(documentKey())
    }
  }
}

@Suite("Compression of edits into one transaction")
struct CompressionTests {
  private let bitcoin = AssetKey(type: .crypto, id: AssetID(unchecked: "bitcoin"))
  private let share = AssetKey(type: .stock, id: AssetID(unchecked: "A"))
  private var empty: Overlay { Overlay(AcceptedState(), through: nil) }

  private func amount(_ text: String) throws -> Amount { try Amount(text) }
  private func category(_ name: String) throws -> FolioDomain.Category { try Category(named: name) }

  @Test("Compression changes no result")
  func sameResult() throws {
    var random = SeededRandom()
    var transactions = 0
    for _ in 0..<60 {
      let log = try random.log(entryCount: random.int(0...10))
      let through = random.one(in: 2) ? Slot(index: 82_060) : nil
      let base = Overlay(log.state, through: through)
      var staged = StagedEdits()
      var outbox = Outbox()
      for _ in 0..<random.int(0...12) {
        let edit = random.edit()
        // Edits that are refused are refused both ways.
        let now = Overlay(log.state, through: through, pending: outbox.pending)
        let alone = Result { try StagedEdits.operations(for: [edit], on: now) }
        let together = Result { try staged.stage(edit, on: base) }
        switch (alone, together) {
        case (.success(let operations), .success): try outbox.save(operations)
        case (.failure(let a), .failure(let b)):
          #expect((a as? any DomainError)?.code == (b as? any DomainError)?.code)
        case (.success, .failure(let error)): Issue.record("only together: \(error)")
        case (.failure(let error), .success): Issue.record("only alone: \(error)")
        }
      }
      let apart = Overlay(log.state, through: through, pending: outbox.pending)
      var one = Outbox()
      if !staged.operations.isEmpty { try one.save(staged.operations) }
      let compressed = Overlay(log.state, through: through, pending: one.pending)
      expectSame(apart, compressed)
      transactions += one.pending.count
    }
    #expect(transactions > 20)
  }

  private func expectSame(_ a: Overlay, _ b: Overlay) {
    let (first, second) = (a.portfolio, b.portfolio)
    #expect(first.holdings.map(\.asset) == second.holdings.map(\.asset))
    #expect(first.holdings.map(\.amount) == second.holdings.map(\.amount))
    #expect(first.holdings.map(\.category.key) == second.holdings.map(\.category.key))
    #expect(first.categories == second.categories)
    for collection in ["notes", "record"].map({ CollectionName(unchecked: $0) }) {
      let before = a.documents(in: collection)
      let after = b.documents(in: collection)
      #expect(before.map(\.key) == after.map(\.key))
      #expect(before.map(\.fields) == after.map(\.fields))
    }
  }

  @Test("Bought, sold, saved: nothing is sent")
  func cancels() throws {
    let edits: [Edit] = [
      .add(bitcoin, try amount("0.5"), category: try category("Coins")),
      .add(bitcoin, try amount("-0.5"), category: nil),
    ]
    #expect(try StagedEdits.operations(for: edits, on: empty).isEmpty)
    #expect(try StagedEdits.operations(for: [], on: empty).isEmpty)
  }

  /// Holds [save-4].
  @Test("Per asset there is one adjust with the sum, and the last category")
  func oneOfEach() throws {
    let edits: [Edit] = [
      .add(bitcoin, try amount("1"), category: try category("A")),
      .set(bitcoin, try amount("7")), .add(bitcoin, try amount("-2"), category: nil),
      .move(bitcoin, to: try category("B")), .add(share, try amount("1"), category: nil),
    ]
    let operations = try StagedEdits.operations(for: edits, on: empty)
    #expect(
      operations == [
        .adjust(bitcoin, try amount("5")), .adjust(share, try amount("1")),
        .categorize(bitcoin, try category("B")),
      ])
  }

  @Test("The present category drops out")
  func presentCategory() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: category("Coins")))
    #expect(try device.save(.move(bitcoin, to: category("Coins"))).isEmpty)
    #expect(
      try device.save(.move(bitcoin, to: category("Other")), .move(bitcoin, to: category("Coins")))
        .isEmpty)
    // A name that is written otherwise is not the present one.
    #expect(try device.save(.move(bitcoin, to: category("COINS"))).count == 1)
    // Nor is one that nobody named yet, where it is not called as the type is.
    try device.save(.add(share, amount("1"), category: nil))
    #expect(try device.save(.move(share, to: category("Stock"))).count == 1)
    #expect(device.overlay.holding(of: share).category.spelling.text == "Stock")
  }

  @Test("A category drops out where the asset was not listed and nothing is left of it")
  func nothingLeft() throws {
    let edits: [Edit] = [
      .add(bitcoin, try amount("1"), category: nil), .move(bitcoin, to: try category("Coins")),
      .delete(bitcoin), .add(share, .zero, category: try category("Coins")),
    ]
    #expect(try StagedEdits.operations(for: edits, on: empty).isEmpty)
  }

  @Test("A category named for nothing is not remembered for what is added later")
  func namedForNothing() throws {
    let edits: [Edit] = [
      .add(bitcoin, try amount("1"), category: try category("A")), .delete(bitcoin),
      .add(bitcoin, .zero, category: try category("B")),
      .add(bitcoin, try amount("2"), category: nil),
    ]
    let operations = try StagedEdits.operations(for: edits, on: empty)
    #expect(operations.last == .categorize(bitcoin, try category("A")))
  }

  @Test("Staged edits are checked at each step")
  func checkedEachStep() throws {
    var staged = StagedEdits()
    _ = try staged.stage(.add(bitcoin, try amount("1"), category: nil), on: empty)
    #expect(throws: EditError.self) {
      try staged.stage(.add(bitcoin, try amount("-1.5"), category: nil), on: empty)
    }
    // The refused one left nothing.
    #expect(staged.operations == [.adjust(bitcoin, try amount("1"))])
  }

  @Test("Staged edits are intentions: they are resolved, and checked, on the state when saved")
  func resolvedWhenSaved() throws {
    let edits: [Edit] = [.set(bitcoin, try amount("10"))]
    #expect(
      try StagedEdits.operations(for: edits, on: empty) == [.adjust(bitcoin, try amount("10"))])
    var log = LogBuilder()
    try log.append([.adjust(bitcoin, amount("4"))])
    let changed = Overlay(log.state, through: nil)
    #expect(
      try StagedEdits.operations(for: edits, on: changed) == [.adjust(bitcoin, try amount("6"))])
    let sale: [Edit] = [.add(bitcoin, try amount("-4"), category: nil)]
    #expect(try StagedEdits.operations(for: sale, on: changed).count == 1)
    #expect(throws: EditError.self) { try StagedEdits.operations(for: sale, on: empty) }
  }

  @Test("Edits of one document are one put, and a delete where it ends deleted")
  func documents() throws {
    let key = DocumentKey(collection: CollectionName(unchecked: "notes"), id: DocumentID(1))
    func put(_ fields: String, unset: [String] = [], undelete: Bool = false) throws -> Edit {
      .put(
        try DocumentPut(
          collection: key.collection, document: key.id, fields: try JSONValue(parsing: fields),
          unset: try unset.map { try FieldPath(validating: $0) }, undelete: undelete))
    }
    let made = try StagedEdits.operations(
      for: [put(#"{"a":1,"b":2}"#), put(#"{"a":3}"#, unset: ["b"])], on: empty)
    guard case .put(let only) = made.first, made.count == 1 else {
      Issue.record("not one put: \(made)")
      return
    }
    #expect(only.set.map(\.value) == [.integer(3)])
    #expect(only.unset.isEmpty, "what was never there need not be unset")
    #expect(
      try StagedEdits.operations(for: [put(#"{"a":1}"#), .deleteDocument(key)], on: empty).isEmpty)
    var outbox = Outbox()
    try outbox.save(made)
    let there = Overlay(AcceptedState(), through: nil, pending: outbox.pending)
    let deleted = try StagedEdits.operations(
      for: [put(#"{"c":1}"#), .deleteDocument(key)], on: there)
    #expect(deleted.count == 2)
    #expect(deleted.last == .delete(key.collection, key.id))
    let back = try StagedEdits.operations(
      for: [.deleteDocument(key), put("{}", undelete: true)], on: there)
    #expect(back.count == 1)
  }
}
