import FolioSystem
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs proofs, each in several processes, and prints a line for each.
struct Report {
  /// Whether all were kept so far.
  private(set) var isSound = true
  private let start = time(nil)

  /// Runs one proof in as many processes as `settings` say.
  mutating func run(_ proof: Proof, _ settings: Settings) throws {
    let start = systemSeconds()
    let scratch = try TemporaryFolder("crash")
    let parts = try (0..<settings.parts).map { part in
      var settings = settings
      settings.part = part
      return try spawn(proof, settings, scratch.path + "/out\(part)")
    }
    let ends = parts.map(waitForEnd)
    var done = Done()
    var finding: String?
    var skipped: String?
    for part in parts.indices {
      let text = String(decoding: try Files.read(scratch.path + "/out\(part)"), as: UTF8.self)
      let last = text.split(separator: "\n").last.map(String.init) ?? ""
      if ends[part] == 0, let part = Done(last) {
        done.add(part)
      } else if ends[part] == 0, last.hasPrefix("skipped: ") {
        skipped = last
      } else if finding == nil {
        finding = last.isEmpty ? "a part ended with \(ends[part])" : last
      }
    }
    let seconds = systemSeconds() - start
    print(
      Self.padded(proof.title, 38), Self.padded("\(done.count) \(proof.unit)", 22),
      finding != nil ? "BROKEN" : skipped == nil ? "kept  " : "      ", " \(seconds) s")
    if let ended = done.ended { print("  readers that the system ended: \(ended)") }
    if let skipped { print("  \(skipped)") }
    if let finding {
      isSound = false
      print("  \(finding)\n  again: folio-crash \(proof.name) \(Self.again(settings, finding))")
    }
    fflush(nil)
  }

  /// Prints what all proofs took together.
  func end() {
    print(
      Self.padded("in all", 61), isSound ? "kept  " : "BROKEN", " \(time(nil) - start) s")
    fflush(nil)
  }

  /// The words that run the same once more, and where a state was named, that alone.
  private static func again(_ settings: Settings, _ finding: String) -> String {
    var settings = settings
    let words = finding.split(separator: " ")
    if words.count > 1, words[0] == "state", let state = Int(words[1].filter(\.isNumber)) {
      settings.only = state
      settings.parts = 1
    }
    return settings.words.joined(separator: " ")
  }

  private func spawn(_ proof: Proof, _ settings: Settings, _ output: String) throws -> Int32 {
    let script = "exec \"$0\" \"$@\" >\"$CRASH_OUTPUT\" 2>&1"
    return try TestSupport.spawn(
      ["/bin/sh", "-c", script, RunningProgram.path ?? "", "part", proof.name] + settings.words,
      // A process that damage ends is not looked into: that took a second each time.
      environment: ["CRASH_OUTPUT": output, "SWIFT_BACKTRACE": "enable=no"])
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  private func systemSeconds() -> Int { time(nil) }
}
