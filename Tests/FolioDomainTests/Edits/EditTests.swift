import FolioDomain
import TestSupport
import Testing

/// A device that saves edits, with its accepted state and its outbox.
struct EditingDevice {
  var log = LogBuilder()
  var outbox = Outbox()
  var through: Slot?

  var overlay: Overlay { Overlay(log.state, through: through, pending: outbox.pending) }

  @discardableResult
  mutating func save(_ edits: Edit...) throws -> [FolioDomain.Operation] {
    let operations = try StagedEdits.operations(for: edits, on: overlay)
    if !operations.isEmpty { try outbox.save(operations) }
    return operations
  }

  /// Takes what is pending into the log, and closes the slot it falls in where asked to.
  mutating func sync(closingSlot: Bool = false) throws {
    for transaction in outbox.pending {
      log.append(
        try TransactionBody(decoding: transaction.body).encoded(), by: log.head.seq)
    }
    outbox = Outbox()
    if closingSlot, let last = log.state.greatestEffectiveAt {
      through = Slot(containing: last).firstSnapshot
    }
  }
}

extension LogBuilder {
  fileprivate mutating func append(_ body: [UInt8], by seq: UInt64) { append(body: body, by: 5) }
}

@Suite("Adding, moving, deleting")
struct EditTests {
  private let bitcoin = AssetKey(type: .crypto, id: AssetID(unchecked: "bitcoin"))
  private let share = AssetKey(type: .stock, id: AssetID(unchecked: "A"))

  private func amount(_ text: String) throws -> Amount { try Amount(text) }
  private func category(_ name: String) throws -> FolioDomain.Category { try Category(named: name) }

  @Test("Adding an asset that exists adds to its amount, and moves it where a category is given")
  func addingExisting() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: category("Coins")))
    try device.save(.add(bitcoin, amount("0.5"), category: nil))
    #expect(device.overlay.holding(of: bitcoin).category.spelling.text == "Coins")
    let operations = try device.save(.add(bitcoin, amount("0.25"), category: category("Funds")))
    #expect(operations.count == 2)
    let holding = device.overlay.holding(of: bitcoin)
    #expect(holding.amount.decimalText == "1.75")
    #expect(holding.category.spelling.text == "Funds")
  }

  @Test("Adding a hidden asset brings it back, and never fails with: exists already")
  func addingHidden() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: category("Coins")))
    try device.sync(closingSlot: true)
    try device.save(.delete(bitcoin))
    #expect(device.overlay.holding(of: bitcoin).isHidden)
    try device.save(.add(bitcoin, amount("2"), category: nil))
    #expect(device.overlay.holding(of: bitcoin).amount.decimalText == "2")
    #expect(device.overlay.holding(of: bitcoin).category.spelling.text == "Coins")
  }

  @Test("F60: setting an amount adds the difference, also when it is set to 0")
  func setting() throws {
    var device = EditingDevice()
    #expect(try device.save(.set(share, amount("4"))) == [.adjust(share, amount("4"))])
    #expect(try device.save(.set(share, amount("10"))) == [.adjust(share, amount("6"))])
    #expect(try device.save(.set(share, amount("10"))).isEmpty)
    #expect(try device.save(.set(share, .zero)) == [.adjust(share, amount("-10"))])
    #expect(device.overlay.holding(of: share).isListed == false)
    #expect(throws: EditError.amountNegative) { try device.save(.set(share, amount("-1"))) }
  }

  @Test("Selling more than is held is refused, with what is held and what was asked")
  func insufficient() throws {
    var device = EditingDevice()
    #expect(throws: EditError.insufficientHoldings(held: .zero, asked: try amount("1"))) {
      try device.save(.add(share, amount("-1"), category: nil))
    }
    try device.save(.add(share, amount("1.5"), category: nil))
    let expected = EditError.insufficientHoldings(
      held: Int256(try amount("1.5")), asked: try amount("1.500000000000000001"))
    #expect(throws: expected) {
      try device.save(.add(share, amount("-1.500000000000000001"), category: nil))
    }
    #expect(expected.code == "insufficientHoldings")
    #expect(expected.message.contains("1.5 is, 1.500000000000000001 was asked"))
    try device.save(.add(share, amount("-1.5"), category: nil))
    #expect(device.overlay.portfolio == PortfolioMaps())
  }

  @Test("F43: a sale of everything leaves nothing")
  func sellAll() throws {
    var device = EditingDevice()
    for part in ["0.1", "0.2", "0.000000000000000001"] {
      try device.save(.add(bitcoin, amount(part), category: nil))
    }
    try device.save(.add(bitcoin, amount("-0.300000000000000001"), category: nil))
    #expect(device.overlay.holding(of: bitcoin).amount.isZero)
  }

  @Test("Deleting what was in no snapshot removes it; its last category stays known")
  func removed() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: category("Coins")))
    try device.sync()
    var staged = StagedEdits()
    #expect(try staged.stage(.delete(bitcoin), on: device.overlay) == .removed(bitcoin))
    try device.save(.delete(bitcoin))
    #expect(device.overlay.portfolio[bitcoin] == nil)
    #expect(throws: EditError.assetNotFound) { try device.save(.delete(bitcoin)) }
    try device.save(.add(bitcoin, amount("1"), category: nil))
    #expect(device.overlay.portfolio[bitcoin]?.category.spelling.text == "Coins")
  }

  @Test("Deleting what was in a snapshot leaves it with amount 0, hidden")
  func zeroed() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: category("Coins")))
    try device.sync(closingSlot: true)
    var staged = StagedEdits()
    #expect(try staged.stage(.delete(bitcoin), on: device.overlay) == .zeroed(bitcoin))
    try device.save(.delete(bitcoin))
    let holding = try #require(device.overlay.portfolio[bitcoin])
    #expect(holding.isHidden)
    #expect(holding.category.spelling.text == "Coins")
    #expect(try device.save(.delete(bitcoin)).isEmpty)
  }

  @Test("The outcome of deleting is that of accepted state, whatever is pending")
  func outcomeOfAccepted() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: nil))
    device.through = Slot(index: 90_000)
    var staged = StagedEdits()
    #expect(try staged.stage(.delete(bitcoin), on: device.overlay) == .removed(bitcoin))
  }

  @Test("Moving an asset that is not there is refused")
  func movingUnknown() throws {
    var device = EditingDevice()
    #expect(throws: EditError.assetNotFound) {
      try device.save(.move(bitcoin, to: category("Coins")))
    }
  }

  @Test("F56: renaming a category moves all assets in it, hidden ones too")
  func renaming() throws {
    var device = EditingDevice()
    try device.save(
      .add(bitcoin, amount("1"), category: category("Coins")),
      .add(share, amount("1"), category: category("Coins")))
    try device.sync(closingSlot: true)
    try device.save(.delete(share))
    let operations = try device.save(
      .renameCategory(category("Coins").key, to: category("Crypto assets")))
    #expect(operations.count == 2)
    let portfolio = device.overlay.portfolio
    #expect(portfolio.categories.count == 1)
    #expect(portfolio.categories[try category("crypto ASSETS").key]?.count == 2)
    #expect(portfolio.isBijective)
    #expect(throws: EditError.categoryNotFound) {
      try device.save(.renameCategory(category("Coins").key, to: category("X")))
    }
  }

  @Test("Renaming onto an existing name merges")
  func renamingMerges() throws {
    var device = EditingDevice()
    try device.save(
      .add(bitcoin, amount("1"), category: category("Coins")),
      .add(share, amount("1"), category: category("Funds")))
    try device.save(.renameCategory(category("Coins").key, to: category("Funds")))
    #expect(device.overlay.portfolio.categories.count == 1)
    #expect(device.overlay.portfolio.categories[try category("Funds").key]?.count == 2)
  }

  @Test("Renaming may change the spelling alone, and renaming to the same name changes nothing")
  func respelling() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: category("coins")))
    #expect(
      try device.save(.renameCategory(category("coins").key, to: category("coins"))).isEmpty)
    try device.save(.renameCategory(category("coins").key, to: category("Coins")))
    #expect(device.overlay.portfolio.spelling(of: try category("coins").key)?.text == "Coins")
  }

  @Test("The category named after a type can be renamed as any other")
  func renamingDefault() throws {
    var device = EditingDevice()
    try device.save(.add(bitcoin, amount("1"), category: nil))
    try device.save(.renameCategory(CategoryKey(unchecked: "crypto"), to: category("Coins")))
    #expect(device.overlay.holding(of: bitcoin).category.spelling.text == "Coins")
  }

  @Test("An asset added elsewhere under the old name at the same time re-creates that name")
  func renamingApart() throws {
    var log = LogBuilder()
    try log.append([
      .adjust(bitcoin, amount("1")), .categorize(bitcoin, category("Coins")),
    ])
    let seen = Overlay(log.state, through: nil)
    let renaming = try StagedEdits.operations(
      for: [.renameCategory(category("Coins").key, to: category("Crypto"))], on: seen)
    let adding = try StagedEdits.operations(
      for: [.add(share, amount("1"), category: category("Coins"))], on: seen)
    try log.append(renaming, by: 2)
    try log.append(adding, by: 3)
    let portfolio = Overlay(log.state, through: nil).portfolio
    #expect(portfolio.categories[try category("Coins").key] == [share])
    #expect(portfolio.categories[try category("Crypto").key] == [bitcoin])
  }

  /// Holds [save-6].
  @Test("What one device saves stays within an amount's range")
  func overflow() throws {
    let most = try amount("99999999999999999999.999999999999999999")
    var device = EditingDevice()
    try device.save(.add(bitcoin, most, category: nil))
    #expect(throws: EditError.amountOverflow) {
      try device.save(.add(bitcoin, amount("0.000000000000000001"), category: nil))
    }
    #expect(device.overlay.holding(of: bitcoin).amount.amount == most)
  }

  @Test("A merged amount out of range may come nearer, and not go further")
  func outOfRange() throws {
    let most = try amount("99999999999999999999.999999999999999999")
    var device = EditingDevice()
    for by in [UInt128(1), 2] { try device.log.append([.adjust(bitcoin, most)], by: by) }
    #expect(throws: EditError.amountOverflow) {
      try device.save(.add(bitcoin, amount("1"), category: nil))
    }
    try device.save(.add(bitcoin, -most, category: nil))
    #expect(device.overlay.holding(of: bitcoin).amount.amount == most)
  }

  /// Holds [list-4].
  @Test("An overdrawn holding can be filled up again and set, and not sold from")
  func overdrawn() throws {
    var device = EditingDevice()
    try device.log.append([.adjust(bitcoin, amount("-4"))])
    #expect(throws: EditError.self) {
      try device.save(.add(bitcoin, amount("-1"), category: nil))
    }
    try device.save(.add(bitcoin, amount("1"), category: nil))
    #expect(device.overlay.holding(of: bitcoin).amount.decimalText == "-3")
    try device.save(.set(bitcoin, amount("2")))
    #expect(device.overlay.holding(of: bitcoin).amount.decimalText == "2")
  }

  @Test("Every error of an edit has a code, a message and a hint of its own")
  func errorTexts() {
    let errors: [EditError] = [
      .insufficientHoldings(held: .zero, asked: .zero), .amountOverflow, .amountNegative,
      .assetNotFound, .categoryNotFound, .documentNotFound,
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(errors.allSatisfy { !$0.message.isEmpty && !$0.hint.isEmpty })
  }
}
