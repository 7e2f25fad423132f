import FolioArguments
import FolioDomain
import FolioJSON
import FolioServer

func importPrices(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let bytes = try context.read(invocation.required("FILE"))
  let folder = try context.openOrMake()
  let base = try folder.storage.read(MarketFacts()).market.base
  let file = try bytes.withUnsafeBytes { try PriceFile($0, base: base) }
  report(file.problems, context)
  if invocation.flag("strict"), !file.problems.isEmpty {
    throw Failure(
      code: "linesRefused",
      message: "\(file.problems.count.counted("line")) not right; nothing was imported"
        + (context.console.isJSON ? described(file.problems) : ""),
      hint: "correct the file, or leave out --strict to skip them", exit: .data)
  }
  let outcome = try folder.storage.write(
    ImportPrices(file.observations, now: context.clock.now()))
  try context.console.say(
    value(file, outcome), text: text(file, outcome))
}

private func value(_ file: PriceFile, _ outcome: ImportPrices.Answer) -> JSONValue {
  .members(
    ("prices", .integer(Int64(file.observations.count))),
    ("skipped", .integer(Int64(file.problems.count))),
    ("tables", .integer(Int64(outcome.added + outcome.corrected + outcome.unchanged))),
    ("added", .integer(Int64(outcome.added))),
    ("corrected", .integer(Int64(outcome.corrected))),
    ("unchanged", .integer(Int64(outcome.unchanged))),
    ("heldBack", .integer(Int64(outcome.heldBack))),
    ("from", .text(outcome.slots?.lowerBound.text)),
    ("to", .text(outcome.slots?.upperBound.text)),
    ("revision", .integer(Int64(outcome.market.revision))),
    ("marketEpoch", .string(hexadecimal(outcome.market.epoch))),
    ("problems", .array(file.problems.kept.map(problemValue))))
}

private func text(_ file: PriceFile, _ outcome: ImportPrices.Answer) -> String {
  var text =
    "\(file.observations.count.counted("price")): \(outcome.added.counted("table")) added, "
    + "\(outcome.corrected) corrected, \(outcome.unchanged) unchanged"
  if let slots = outcome.slots { text += ", from \(slots.lowerBound) to \(slots.upperBound)" }
  if outcome.heldBack > 0 { text += "; \(outcome.heldBack) held back until their slots begin" }
  if file.problems.count > 0 { text += "; \(file.problems.count.counted("line")) skipped" }
  return text
}

func importAssets(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let bytes = try context.read(invocation.required("FILE"))
  let file = bytes.withUnsafeBytes { AssetFile($0) }
  report(file.problems, context)
  report(file.repeated, context)
  let outcome = try context.openOrMake().storage.write(
    ImportAssets(file.assets, replacing: invocation.flag("replace")))
  let problems = (file.problems.kept + file.repeated.kept).sorted { $0.line < $1.line }
  try context.console.say(
    .members(
      ("assets", .integer(Int64(file.assets.count))), ("added", .integer(Int64(outcome.added))),
      ("changed", .integer(Int64(outcome.changed))),
      ("unchanged", .integer(Int64(outcome.unchanged))),
      ("removed", .integer(Int64(outcome.removed))),
      ("repeated", .integer(Int64(file.repeated.count))),
      ("skipped", .integer(Int64(file.problems.count))),
      ("total", .integer(Int64(outcome.table.count))), ("tag", .string(outcome.table.tag.text)),
      ("problems", .array(problems.map(problemValue)))),
    text:
      "\(file.assets.count.counted("asset")): \(outcome.added) added, \(outcome.changed) changed, "
      + "\(outcome.unchanged) unchanged, \(outcome.removed) removed; \(file.repeated.count) "
      + "repeated, \(file.problems.count.counted("line")) skipped; \(outcome.table.count) in the table"
  )
}

/// Names the lines that were left out, for people.
private func report(_ problems: LineProblems, _ context: Context) {
  for problem in problems.kept { context.console.note("line \(problem.line): \(problem.message)") }
  let more = problems.count - problems.kept.count
  if more > 0 { context.console.note("and \(more.counted("line")) more") }
}

private func described(_ problems: LineProblems) -> String {
  ": "
    + problems.kept.prefix(20).map { "line \($0.line): \($0.message)" }.joined(separator: "; ")
}
