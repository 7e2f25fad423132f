import FolioApp
import FolioDomain
import FolioJSON
import FolioStore
import TestSupport
import Testing

@Suite("Edits as a flow")
struct EditFlowTests {
  private let bitcoin = AssetKey(
    type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "bitcoin"))
  private let share = AssetKey(type: AssetType(unchecked: "stock"), id: AssetID(unchecked: "ABC"))

  private func portfolio(_ world: World) throws -> Portfolio {
    try Portfolio.create(at: world.path("phone"), options: world.options())
  }

  private func add(_ amount: String, _ asset: AssetKey, to category: String? = nil) throws -> Edit {
    .add(asset, try Amount(amount), category: try category.map { try Category(named: $0) })
  }

  @Test("Staged, nothing has changed; saved, it is one compressed transaction")
  func staging() throws {
    let portfolio = try portfolio(try World())
    try portfolio.add("2", of: "stock:ABC", to: "Shares")
    let begun = try portfolio.beginEdit()
    #expect(begun.edits.isEmpty)
    let made = try portfolio.make(add("0.5", bitcoin, to: "Coins"))
    #expect(made.isStaged)
    try portfolio.make(add("-1.5", share))
    // What is checked is the state with what was staged before.
    #expect(throws: EditError.self) { try portfolio.make(try add("-0.6", share)) }
    try portfolio.make(add("-0.5", bitcoin))
    try portfolio.make(.set(share, try Amount("3")))
    #expect(try portfolio.holdings().map(\.holding.amount.decimalText) == ["2"])
    let review = try portfolio.reviewEdit()
    #expect(review.flow.edits.count == 4)
    #expect(review.changes.map(\.asset) == [share])
    #expect(review.changes.first?.difference.decimalText == "1")
    #expect(review.changes.first?.before.amount.decimalText == "2")
    #expect(review.operationCount == 1)
    let saved = try portfolio.saveEdit()
    #expect(saved.transaction != nil && saved.operationCount == 1)
    #expect(try portfolio.holdings().map(\.holding.amount.decimalText) == ["3"])
    #expect(try portfolio.status().outbox.count == 2)
    #expect(try portfolio.flow() == nil)
    #expect(throws: AppError.noFlow(.edit)) { try portfolio.saveEdit() }
  }

  @Test("What leaves nothing makes no transaction; what is discarded has not happened")
  func nothing() throws {
    let portfolio = try portfolio(try World())
    try portfolio.beginEdit()
    try portfolio.make(add("0.5", bitcoin))
    try portfolio.make(add("-0.5", bitcoin))
    let saved = try portfolio.saveEdit()
    #expect(saved.transaction == nil && saved.operationCount == 0)
    try portfolio.beginEdit()
    try portfolio.make(add("0.5", bitcoin))
    #expect(try portfolio.undoStagedEdit() == add("0.5", bitcoin))
    #expect(try portfolio.undoStagedEdit() == nil)
    try portfolio.make(add("1", bitcoin))
    #expect(try portfolio.discardFlow() == 1)
    #expect(try portfolio.status().outbox.count == 0)
    #expect(throws: AppError.noFlow(.edit)) { try portfolio.discardFlow() }
    #expect(throws: AppError.noFlow(.edit)) { try portfolio.reviewEdit() }
    #expect(throws: AppError.noFlow(.edit)) { try portfolio.undoStagedEdit() }
    #expect(try portfolio.make(add("1", bitcoin)).isStaged == false)
  }

  @Test("Every kind of edit survives that the store is closed, as it was staged")
  func kept() throws {
    let world = try World()
    let portfolio = try portfolio(world)
    let notes = CollectionName(unchecked: "note")
    let put = try DocumentPut(
      collection: notes, document: DocumentID(7),
      fields: JSONValue(
        parsing: Array(#"{"a":[1,{"b":null}],"metadata":{"x.y":true},"text":"é\n"}"#.utf8)),
      unset: [
        FieldPath(FieldName(unchecked: "gone")),
        FieldPath(.metadata, member: FieldName(unchecked: "m")),
      ], undelete: true)
    let edits: [Edit] = [
      try add("0.000000000000000001", bitcoin, to: "Crème"), try add("2", share),
      .set(share, try Amount("4")), .move(share, to: try Category(named: "Fünf")),
      .renameCategory(try Category(named: "FÜNF").key, to: try Category(named: "Six")),
      .delete(bitcoin), .put(put),
      .deleteDocument(DocumentKey(collection: notes, id: DocumentID(7))),
    ]
    try portfolio.beginEdit()
    for edit in edits { try portfolio.make(edit) }
    let before = try portfolio.reviewEdit()
    #expect(before.flow.edits == edits)
    portfolio.close()
    let again = try Portfolio.open(at: world.path("phone"), options: world.options())
    #expect(try again.reviewEdit() == before)
    try again.saveEdit()
    #expect(try again.verify().problems.isEmpty)
  }

  @Test("Two flows at once are refused, and the one under way stays as it is")
  func two() throws {
    let world = try World()
    let portfolio = try portfolio(world)
    try portfolio.beginEdit()
    try portfolio.make(add("1", bitcoin))
    let error = #expect(throws: AppError.self) { try portfolio.beginEdit() }
    #expect(error == .flowUnderWay(.edit, since: world.clock.now()))
    #expect(error?.code == "flowUnderWay")
    #expect(throws: AppError.flowUnderWay(.edit, since: world.clock.now())) {
      try portfolio.beginTransfer()
    }
    #expect(try portfolio.reviewEdit().flow.edits.count == 1)
  }

  @Test("What was staged is checked again when it is saved, and stays as it is where it fails")
  func changedMeanwhile() throws {
    let world = try World()
    let portfolio = try portfolio(world)
    try portfolio.add("2", of: "stock:ABC")
    try portfolio.beginEdit()
    try portfolio.make(add("1", bitcoin))
    try portfolio.make(add("-2", share))
    try portfolio.make(.set(share, try Amount("1")))
    // Another process sells in between.
    try portfolio.save([try add("-1", share)])
    let error = #expect(throws: StagedEditError.self) { try portfolio.saveEdit() }
    #expect(error?.number == 2)
    #expect(error?.code == "insufficientHoldings")
    #expect(error?.message.contains("2") == true)
    #expect(throws: StagedEditError.self) { try portfolio.make(try add("1", bitcoin)) }
    #expect(throws: StagedEditError.self) { try portfolio.reviewEdit() }
    guard case .edit(let flow)? = try portfolio.flow() else {
      Issue.record("the edit is gone")
      return
    }
    #expect(flow.edits.count == 3)
    #expect(try portfolio.holdings().map(\.holding.amount.decimalText) == ["1"])
    try portfolio.save([try add("3", share)])
    #expect(try portfolio.saveEdit().operationCount == 2)
    #expect(try portfolio.holdings().map(\.holding.amount.decimalText) == ["1", "1"])
  }

  @Test("What cannot be read is told, and can be dropped")
  func unreadable() throws {
    let portfolio = try portfolio(try World())
    for text in ["", "{}", "[]", #"{"flow":"edit","form":2}"#, #"{"flow":"swap","form":1}"#] {
      try portfolio.store.write { try $0.setUnsavedEdit(Array(text.utf8)) }
      #expect(throws: AppError.flowUnreadable) { try portfolio.flow() }
      #expect(throws: AppError.flowUnreadable) { try portfolio.make(try add("1", bitcoin)) }
      #expect(try portfolio.discardFlow() == nil)
      #expect(try portfolio.flow() == nil)
    }
  }

  @Test("A flow has a limit")
  func limit() throws {
    let portfolio = try portfolio(try World())
    try portfolio.beginEdit()
    try portfolio.make(add("1", bitcoin))
    // Filled at once: staged one by one, each would be checked with all before it.
    let kept = try #require(try portfolio.read { try $0.unsavedEdit() })
    let text = String(decoding: kept, as: UTF8.self)
    let edit = #"{"amount":"1","asset":"crypto:bitcoin","edit":"add"}"#
    let many = Array(repeating: edit, count: EditFlow.editCountMax).joined(separator: ",")
    let full = text.replacing(edit, with: many)
    try portfolio.store.write { try $0.setUnsavedEdit(Array(full.utf8)) }
    #expect(throws: AppError.tooManyEdits(max: 1_000)) { try portfolio.make(try add("1", bitcoin)) }
    #expect(try portfolio.saveEdit().operationCount == 1)
    #expect(try portfolio.holdings().first?.holding.amount.decimalText == "1000")
  }
}
