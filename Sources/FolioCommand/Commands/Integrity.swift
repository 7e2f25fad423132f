import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore
import FolioSystem

extension Command {
  static let verify = Command(
    "verify", "Check every rule that the store must obey",
    details: "Ends with 65 where something is wrong; each problem is named.",
    session: { session in try session.verify() })

  static let backup = Command(
    "backup", "Write a consistent copy of the store into a file",
    arguments: [Argument("FILE", "A file that is not there yet")],
    session: { session in try session.backup() })
}

extension Session {
  fileprivate func verify() throws {
    let report = try Store.verify(at: try storePath(), options)
    if report.isSound { return try say(report) }
    try console.end(with: ExitRequest(.data)) { try say(report) }
  }

  fileprivate func backup() throws {
    let file = try invocation.required("FILE")
    try withStore { try $0.backUp(to: file) }
    let byteCount = try Files.byteCount(of: file)
    try console.say(
      .row(["file": .string(file), "bytes": .count(byteCount)]), text: "wrote \(file)")
  }

  private func say(_ report: IntegrityReport) throws {
    try console.say(
      .row([
        "ok": .bool(report.isSound), "checked": .count(report.checkedCount),
        "problems": .array(report.problems.map(JSONValue.problem)),
      ]), text: text(report))
  }

  private func text(_ report: IntegrityReport) -> String {
    if report.isSound { return "\(report.checkedCount.counted("record")) checked: sound\n" }
    return report.problems.map { "\($0.code) in \($0.space) \($0.place)\n" }.joined()
  }
}

extension JSONValue {
  static func problem(_ problem: IntegrityProblem) -> JSONValue {
    row([
      "rule": .string(problem.code), "space": .string(problem.space),
      "place": .string(problem.place),
    ])
  }
}
