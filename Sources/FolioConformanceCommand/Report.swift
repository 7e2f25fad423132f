import FolioArguments
import FolioConformance
import FolioJSON

/// Says what was found, check by check, and how the program ends.
final class Report {
  private let console: Console
  private let only: String?
  private var checks = 0
  private var broken: Set<String> = []
  private var failures = 0

  init(_ invocation: Invocation) {
    console = Console(invocation)
    only = invocation.option("only")
  }

  /// Whether a check is among those asked for.
  func wants(_ name: String, _ requirements: [String]) -> Bool {
    guard let only else { return true }
    return requirements.contains(only) || name.contains(only)
  }

  func add(_ result: CheckResult) throws {
    checks += 1
    if !result.holds {
      failures += 1
      broken.formUnion(result.requirements)
    }
    let mark = result.holds ? "holds" : "FAILS"
    let why = result.failure.map { "\n        \($0)" } ?? ""
    try console.say(
      value(result),
      text: "\(mark)   \(result.name) [\(result.requirements.joined(separator: ", "))]\(why)")
  }

  func list(_ side: String, _ name: String, _ requirements: [String]) throws {
    try console.say(
      .object([
        JSONMember("check", .string(name)),
        JSONMember("requirements", .array(requirements.map { .string($0) })),
        JSONMember("side", .string(side)),
      ]), text: "\(side)   \(name) [\(requirements.joined(separator: ", "))]")
  }

  /// The order of requirements: by name, then by number.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.split(separator: "-"), b.split(separator: "-"))
    guard a.first == b.first, let first = Int(a.last ?? ""), let second = Int(b.last ?? "") else {
      return a.lexicographicallyPrecedes(b) { $0 < $1 }
    }
    return first < second
  }

  private func value(_ result: CheckResult) -> JSONValue {
    .object([
      JSONMember("check", .string(result.name)),
      JSONMember("failure", result.failure.map { .string($0) } ?? .null),
      JSONMember("holds", .bool(result.holds)),
      JSONMember("requirements", .array(result.requirements.map { .string($0) })),
    ])
  }

  /// Says the sum; the program ends with 65 where something failed, or where nothing was checked.
  func end() throws {
    if !console.isJSON {
      let list = broken.sorted(by: Self.precedes).joined(separator: ", ")
      let rest = failures == 0 ? "" : ", \(failures) \(failures == 1 ? "fails" : "fail"): \(list)"
      try console.say(.null, text: "\(checks - failures) of \(checks) checks hold\(rest)")
    }
    if failures > 0 || checks == 0 { throw ExitRequest(.data) }
  }
}
