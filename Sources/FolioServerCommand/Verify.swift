import FolioArguments
import FolioJSON
import FolioServer

/// Checks everything that is stored, page by page first and then rule by rule.
func verify(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let verification = try ServerFolder.verify(at: context.path) { done, total in
    context.console.progress("pages looked at", done, of: total)
  }
  context.console.endProgress()
  try tell(verification, context)
}

private func tell(_ verification: StorageVerification, _ context: Context) throws {
  let problems = verification.problems.map { problem -> JSONValue in
    .members(("code", .string(problem.code)), ("message", .string(problem.message)))
  }
  var text =
    verification.isSound
    ? "sound: \(verification.checked) rows checked\n"
    : "\(verification.problemCount.counted("problem")) in \(verification.checked.counted("row"))\n"
  for problem in verification.problems { text += "  \(problem.code): \(problem.message)\n" }
  let said = text
  let say = {
    try context.console.say(
      .members(
        ("ok", .bool(verification.isSound)), ("checked", .integer(Int64(verification.checked))),
        ("problemCount", .integer(Int64(verification.problemCount))),
        ("problems", .array(problems))),
      text: said)
  }
  if verification.isSound { return try say() }
  try context.console.end(with: ExitRequest(.data), say)
}
