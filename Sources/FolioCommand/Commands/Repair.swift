import FolioArguments
import FolioJSON
import FolioStore

extension Command {
  static let repair = Command(
    "repair", "Make derived data anew from what is sound; the next sync brings what is not",
    details: "Ends with 65 where something is wrong still; each problem is named.",
    session: { session in try session.repair() })
}

extension Session {
  fileprivate func repair() throws {
    let report = try withStore(exclusive: true) { try $0.repair() }
    var lines: [String] = []
    if !report.rebuilt.isEmpty {
      lines.append("made anew: " + report.rebuilt.joined(separator: ", "))
    }
    if !report.fromServer.isEmpty {
      lines.append("comes with the next sync: " + report.fromServer.joined(separator: ", "))
    }
    lines += report.lost.map { "lost: \($0)" }
    if let copy = report.copy { lines.append("as it was: \(copy)") }
    lines += report.problems.map { "\($0.code) in \($0.space) \($0.place)" }
    let say = {
      try console.say(
        .row([
          "ok": .bool(report.problems.isEmpty),
          "rebuilt": .array(report.rebuilt.map(JSONValue.string)),
          "fromServer": .array(report.fromServer.map(JSONValue.string)),
          "lost": .array(report.lost.map(JSONValue.string)), "copy": .text(report.copy),
          "problems": .array(report.problems.map(JSONValue.problem)),
        ]), text: lines.isEmpty ? "sound: nothing to repair" : lines.joined(separator: "\n"))
    }
    if report.problems.isEmpty { return try say() }
    try console.end(with: ExitRequest(.data), say)
  }
}
