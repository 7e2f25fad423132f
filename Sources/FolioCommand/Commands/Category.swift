import FolioApp
import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

extension Command {
  static let category = Command(
    "category", "List and rename categories",
    [
      Command(
        "list", "List the categories of what is held",
        session: { session in try session.listCategories() }),
      Command(
        "rename", "Move all assets of a category into another; onto one there is, it merges",
        arguments: [Argument("OLD", "The category"), Argument("NEW", "What it is to be called")],
        session: { session in try session.renameCategory() }),
    ])
}

extension Session {
  fileprivate func listCategories() throws {
    let (found, display) = try read { state in
      (try state.categories(), try Display(state))
    }
    var table = TextTable([.left("category"), .right("assets"), .right("value"), .left("")])
    for summary in found {
      table.add([
        summary.category.spelling.text, "\(summary.assetCount)",
        display.text(summary.value),
        summary.unpricedCount > 0 ? "and \(summary.unpricedCount) unpriced" : "",
      ])
    }
    noteUnpriced(display)
    try console.say(
      rows: found.map { .category($0, display) },
      text: found.isEmpty ? "no categories\n" : table.text)
  }

  fileprivate func renameCategory() throws {
    let old = try Category(named: try invocation.required("OLD"))
    let new = try Category(named: try invocation.required("NEW"))
    let made = try withPortfolio { try $0.make(.renameCategory(old.key, to: new)) }
    guard case .renamed(let count, let category) = made.outcome else { return }
    try console.say(
      .row([
        "category": .string(category.spelling.text), "assets": .count(count),
        "staged": .bool(made.isStaged),
      ]),
      text: "\(category.spelling.text)  \(count.counted("asset"))\(made.mark)")
  }
}
