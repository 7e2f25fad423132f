import FolioApp
import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

extension Command {
  static let edit = Command(
    "edit", "Several edits, saved as one transaction",
    details: """
      While an edit is under way, asset add, set, move and delete and category rename are staged \
      in it, and nothing changes until it is saved. Documents and records are saved at once.
      """,
    [
      Command(
        "begin", "Begin an edit; there is one at a time",
        session: { session in try session.beginEdit() }),
      Command(
        "show", "Show what is staged, and what would change",
        session: { session in try session.showEdit() }),
      Command(
        "undo", "Take the edit that was staged last back",
        session: { session in try session.undoEdit() }),
      Command(
        "save", "Save what is staged as one compressed transaction",
        session: { session in try session.saveEdit() }),
      Command(
        "discard", "Drop what is staged; nothing of it has happened",
        session: { session in try session.discardEdit() }),
    ])
}

extension Session {
  fileprivate func beginEdit() throws {
    let flow = try withPortfolio { try $0.beginEdit() }
    try console.say(
      .row(["begunAt": .string(flow.begunAt.text), "edits": .count(0)]),
      text: "begun: asset commands are staged until 'folio edit save'")
  }

  fileprivate func showEdit() throws {
    let (review, display) = try withPortfolio { portfolio in
      (try portfolio.reviewEdit(), try portfolio.read { try Display($0) })
    }
    try console.say(.review(review), text: text(review, display))
  }

  private func text(_ review: EditReview, _ display: Display) -> String {
    let flow = review.flow
    var text = "\(flow.edits.count.counted("edit")) staged since \(display.text(flow.begunAt))\n"
    for (index, edit) in flow.edits.enumerated() { text += "\(index + 1)  \(edit.text)\n" }
    guard !review.changes.isEmpty else { return text + "nothing would change\n" }
    var table = TextTable([
      .left("asset"), .right("before"), .right("after"), .left("category"), .left(""),
    ])
    for change in review.changes {
      table.add([
        change.asset.text, change.before.amount.decimalText, change.amount.decimalText,
        change.category.spelling.text,
        change.isMoved && change.before.isListed
          ? "from \(change.before.category.spelling.text)" : "",
      ])
    }
    return text + table.text
  }

  fileprivate func undoEdit() throws {
    let (edit, rest) = try withPortfolio { portfolio in
      let edit = try portfolio.undoStagedEdit()
      guard case .edit(let flow)? = try portfolio.flow() else { throw AppError.noFlow(.edit) }
      return (edit, flow.edits.count)
    }
    try console.say(
      .row(["undone": .text(edit?.text), "edits": .count(rest)]),
      text: edit.map { "undone: \($0.text)" } ?? "nothing is staged")
  }

  fileprivate func saveEdit() throws {
    let saved = try withPortfolio { try $0.saveEdit() }
    let count = saved.transaction == nil ? 0 : 1
    try console.say(
      .row([
        "transactions": .count(count), "operations": .count(saved.operationCount),
        "id": .text(saved.transaction?.text),
      ]),
      text: count == 0
        ? "nothing changed: no transaction was made"
        : "saved: 1 transaction with \(saved.operationCount.counted("operation"))")
  }

  fileprivate func discardEdit() throws {
    let count = try withPortfolio { try $0.discardFlow() }
    try console.say(
      .row(["discarded": .count(count)]),
      text: count.map { "discarded \($0) staged edits" } ?? "discarded")
  }
}

extension Edit {
  /// The edit, as a person would type it.
  var text: String {
    switch self {
    case .add(let asset, let amount, let category):
      "add \(asset.text) \(amount.text)" + (category.map { " to \($0.spelling.text)" } ?? "")
    case .set(let asset, let amount): "set \(asset.text) \(amount.text)"
    case .move(let asset, let category): "move \(asset.text) to \(category.spelling.text)"
    case .delete(let asset): "delete \(asset.text)"
    case .renameCategory(let old, let new): "rename \(old.text) to \(new.spelling.text)"
    case .put(let put): "put \(put.collection.text) \(put.document.text)"
    case .deleteDocument(let key): "delete \(key.collection.text) \(key.id.text)"
    }
  }
}

extension JSONValue {
  fileprivate static func review(_ review: EditReview) -> JSONValue {
    row([
      "begunAt": .string(review.flow.begunAt.text),
      "edits": .array(review.flow.edits.map { .string($0.text) }),
      "changes": .array(review.changes.map(change)),
      "operations": count(review.operationCount),
    ])
  }

  private static func change(_ change: AssetChange) -> JSONValue {
    row([
      "asset": .string(change.asset.text), "before": .string(change.before.amount.decimalText),
      "amount": .string(change.amount.decimalText),
      "difference": .string(change.difference.decimalText),
      "categoryBefore": text(
        change.before.isListed ? change.before.category.spelling.text : nil),
      "category": .string(change.category.spelling.text),
    ])
  }
}
