import FolioDomain
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs the commands that an article shows, in a folder of their own, and compares what they say.
///
/// A line after `$ ` is a command of the shell; lines after `> ` go on with it. What follows up to the
/// next command is what it says, where `...` stands for any text; where nothing follows it may say
/// anything. A command ends well, unless an error is what it is shown to say. `folio watch` runs until the end
/// of its block. Each block begins six hours after the one before, so that slots close between them.
final class ArticleTerminal {
  private let folder: TemporaryFolder
  private var now = Timestamp(milliseconds: 1_772_348_400_000)  // 2026-03-01T07:00:00Z
  private static let slotMilliseconds: Int64 = 21_600_000

  private static let prices = """
    time,type,id,price
    2026-03-01T05:50:00Z,forex,EUR,1.0832
    2026-03-01T05:55:00Z,crypto,bitcoin,67250.5
    2026-03-01T05:55:00Z,stock,AAPL,187.32
    2026-03-01T11:50:00Z,forex,EUR,1.0841
    2026-03-01T11:55:00Z,crypto,bitcoin,68010
    2026-03-01T11:55:00Z,stock,AAPL,186.9
    2026-03-01T17:50:00Z,forex,EUR,1.0844
    2026-03-01T17:55:00Z,crypto,bitcoin,69125.25
    2026-03-01T17:55:00Z,stock,AAPL,188.41

    """

  /// The files that an article takes for given, by their names.
  private static let files: [String: [String: String]] = [
    "README": ["prices.csv": prices, "broker.csv": "Ticker,Quantity\nAAPL,4\nMSFT,2.5\n"],
    "RecoveringADevice": ["prices.csv": prices],
  ]

  /// A terminal with the files that the article takes for given.
  init(_ article: String) throws {
    folder = try TemporaryFolder("article")
    for (name, text) in Self.files[article] ?? [:] { try folder.write(Array(text.utf8), to: name) }
    // A machine called `home` that is this one.
    try folder.makeFolder("bin")
    try folder.write(Array("#!/bin/sh\nshift\nexec /bin/sh -c \"$*\"\n".utf8), to: "bin/ssh")
    chmod(folder.path + "/bin/ssh", 0o700)
  }

  /// Runs a block's commands, and says where they do something else than is shown.
  func differences(_ block: Example) throws -> [String] {
    var watches: [Watch] = []
    var differences: [String] = []
    for step in Self.steps(block.text) {
      if step.command.hasPrefix("folio watch") {
        watches.append(try Watch(step, self))
        continue
      }
      let run = try BuiltProgram(at: "/bin/sh").run(
        ["-c", "{ \(step.command)\n} 2>&1"], environment: environment, folder: folder.path)
      differences += compare(step, run.output, isWell: run.status == 0, block)
    }
    for watch in watches {
      differences += compare(watch.step, try watch.end(), isWell: true, block)
    }
    now = Timestamp(milliseconds: now.milliseconds + Self.slotMilliseconds)
    return differences
  }

  private var environment: [String: String?] {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return [
      "PATH": "\(folder.path)/bin:\(BuiltProgram.productsFolder):\(path)", "HOME": folder.path,
      "FOLIO_CLOCK": now.text, "FOLIO_STORE": nil, "XDG_DATA_HOME": nil, "COLUMNS": nil, "TZ": nil,
    ]
  }

  private func compare(
    _ step: Step, _ output: String, isWell: Bool, _ block: Example
  ) -> [String] {
    let said = output.hasSuffix("\n") ? String(output.dropLast()) : output
    let fails = ["error:", "{\"code\":"].contains { sign in
      step.output.split(separator: "\n").contains { $0.hasPrefix(sign) }
    }
    let what = "\(block): \(step.command)\n"
    if isWell == fails { return [what + "ends \(isWell ? "well" : "with an error"):\n\(said)"] }
    if step.output.isEmpty || Self.matches(said, step.output) { return [] }
    return [what + "says:\n\(said)\nand is shown to say:\n\(step.output)"]
  }

  /// A command, and what it is shown to say.
  fileprivate struct Step {
    var command: String
    var output = ""
  }

  private static func steps(_ text: String) -> [Step] {
    var steps: [Step] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if let last = steps.indices.last {
        if line.hasPrefix("> "), steps[last].output.isEmpty {
          steps[last].command += "\n" + line.dropFirst(2)
        } else {
          steps[last].output += (steps[last].output.isEmpty ? "" : "\n") + line
        }
      }
    }
    // An empty line before the next command is there for the eye.
    return steps.map { step in
      var step = step
      while step.output.hasSuffix("\n") { step.output.removeLast() }
      return step
    }
  }

  private static func matches(_ text: String, _ shown: String) -> Bool {
    let parts = shown.split(separator: "...", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return text == shown
    }
    guard text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  /// A command that follows the store until it is interrupted.
  private final class Watch {
    let step: Step
    private let pid: Int32
    private let folder: TemporaryFolder

    init(_ step: Step, _ terminal: ArticleTerminal) throws {
      self.step = step
      folder = terminal.folder
      var variables = terminal.environment
      variables["FOLIO_CLOCK"] = .some(nil)
      pid = try spawn(
        ["/bin/sh", "-c", "cd '\(folder.path)'\nexec >watched 2>&1\nexec \(step.command)\n"],
        environment: variables)
      // It follows once it has opened the store.
      usleep(500_000)
    }

    func end() throws -> String {
      usleep(300_000)
      kill(pid, SIGINT)
      _ = TestSupport.wait(for: pid)
      return try folder.text(of: "watched")
    }
  }
}
