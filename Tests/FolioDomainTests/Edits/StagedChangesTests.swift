import FolioDomain
import FolioJSON
import TestSupport
import Testing

@Suite("What staged edits come to")
struct StagedChangesTests {
  private let bitcoin = AssetKey(type: .crypto, id: AssetID(unchecked: "bitcoin"))
  private let share = AssetKey(type: .stock, id: AssetID(unchecked: "A"))

  private func category(_ name: String) throws -> FolioDomain.Category { try Category(named: name) }

  private func record(_ id: UInt64, title: String) throws -> Edit {
    .put(
      try DocumentPut(
        collection: .record, document: DocumentID(UInt128(id)),
        fields: .object([
          JSONMember("title", .string(title)), JSONMember("type", .string("bill")),
        ])))
  }

  @Test("Each asset that changes, with what it was and what it will be; others are left out")
  func changes() throws {
    var device = EditingDevice()
    try device.save(.add(share, Amount("2"), category: category("Shares")))
    let base = device.overlay
    var staged = StagedEdits()
    for edit in [
      Edit.add(bitcoin, try Amount("1"), category: try category("Coins")),
      .add(share, try Amount("1"), category: nil), .add(share, try Amount("-1"), category: nil),
    ] {
      _ = try staged.stage(edit, on: base)
    }
    #expect(staged.changes.map(\.asset) == [bitcoin])
    #expect(staged.changes[0].difference.decimalText == "1" && staged.changes[0].isMoved)
    #expect(!staged.changes[0].before.isListed)
    _ = try staged.stage(.move(share, to: category("Old")), on: base)
    _ = try staged.stage(.delete(bitcoin), on: base)
    #expect(staged.changes.map(\.asset) == [share])
    #expect(staged.changes[0].difference.isZero)
    #expect(try staged.changes[0].category == category("Old"))
  }

  @Test("A title is unique among the records that are there and those that are staged")
  func titles() throws {
    var device = EditingDevice()
    try device.save(record(1, title: "Rent"))
    let taken = RecordError.titleTaken(by: DocumentID(1))
    #expect(throws: taken) { try device.save(record(2, title: "RENT")) }
    #expect(throws: RecordError.titleTaken(by: DocumentID(2))) {
      try device.save(record(2, title: "Power"), record(3, title: "power"))
    }
    // In one save, a title may go from one record to another.
    try device.save(record(1, title: "Rent of May"), record(2, title: "Rent"))
    let key = DocumentKey(collection: .record, id: DocumentID(2))
    try device.save(.deleteDocument(key), record(3, title: "Rent"))
    #expect(throws: RecordError.titleTaken(by: DocumentID(3))) {
      try device.save(
        .put(
          DocumentPut(
            collection: .record, document: DocumentID(2), set: [], unset: [], undelete: true)))
    }
    #expect(device.overlay.records(of: RecordIdentity(type: "bill", title: "rent")).count == 1)
  }

  @Test("A transfer takes all that is held, from where it is to where it is not")
  func transfers() throws {
    var device = EditingDevice()
    try device.save(.add(share, Amount("2"), category: category("Shares")))
    let overlay = device.overlay
    let from = try category("Shares").key
    let held = Int256(try Amount("2"))
    let (one, three) = (try Amount("1"), try Amount("3"))
    func edit(_ amount: String, to name: String, from key: CategoryKey? = nil) throws -> Edit {
      try Transfer(share, Amount(amount), from: key ?? from, to: category(name)).edit(on: overlay)
    }
    #expect(try edit("2", to: "Old") == .move(share, to: category("Old")))
    #expect(throws: TransferError.sameCategory) { try edit("2", to: " SHARES ") }
    #expect(throws: TransferError.notWhole(held: held, asked: one)) {
      try edit("1", to: "Old")
    }
    #expect(throws: EditError.insufficientHoldings(held: held, asked: three)) {
      try edit("3", to: "Old")
    }
    #expect(throws: TransferError.notInCategory) {
      try edit("2", to: "Old", from: try category("Coins").key)
    }
    let errors: [TransferError] = [
      .notInCategory, .notWhole(held: .zero, asked: .zero), .sameCategory,
    ]
    #expect(Set(errors.map(\.code)).count == 3 && Set(errors.map(\.message)).count == 3)
    #expect(errors.allSatisfy { !$0.hint.isEmpty })
  }

  @Test("Values are shown with the digits that a person wants, and in the currency they want")
  func shown() throws {
    let value = Value(try Amount("1234.5678"), at: .one)
    #expect(value.displayText(in: CurrencyStyle(code: "EUR", places: 3)) == "€1,234.568")
    #expect(value.displayText(in: CurrencyStyle(code: "EUR", places: 0)) == "€1,235")
    #expect(value.displayText(in: CurrencyStyle(code: "JPY", places: nil)) == "¥1,235")
    #expect(CurrencyStyle(code: "EUR", places: 99).places == 18)
    func quote(_ price: String) throws -> Quote {
      Quote(price: try Price(price), pricedAt: Slot(index: 0))
    }
    #expect(try value.converted(by: quote("2"))?.text == "617.2839")
    #expect(try value.converted(by: quote("0")) == nil)
  }

  @Test("Ten times as many documents in one save take about ten times as long to stage")
  func many() throws {
    func edits(_ count: UInt64) throws -> [Edit] {
      try (1...count).map { try record($0, title: "Bill \($0)") }
    }
    func time(_ edits: [Edit]) throws -> Duration {
      let base = EditingDevice().overlay
      let begin = threadTime()
      #expect(try StagedEdits.operations(for: edits, on: base).count == edits.count)
      return threadTime() - begin
    }
    let (few, many) = (try edits(1_000), try edits(10_000))
    // The best of some, since other tests use the caches beside this one.
    let times = try (0..<3).map { _ in (try time(few), try time(many)) }
    let (best, most) = (times.map(\.0).min() ?? .zero, times.map(\.1).min() ?? .zero)
    #expect(most < best * 40, "1,000 take \(best), 10,000 take \(most)")
  }
}
