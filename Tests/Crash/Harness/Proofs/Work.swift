import CrashInterposer
import FolioSystem
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Steps of a script, run in a process of their own that tells which were done.
struct Work {
  let kind: SubjectKind
  let stage: Stage
  /// The first step, and the one after the last.
  let from: Int
  let to: Int
  /// At which call the process kills itself, and when in it; 0 for never.
  var killCall = 0
  var killAction = 0
  /// What it does wrong.
  var wrong: Wrong?

  init(kind: SubjectKind, stage: Stage, from: Int, to: Int) {
    self.kind = kind
    self.stage = stage
    self.from = from
    self.to = to
  }

  /// Starts a process that does this; what it acknowledges goes into a file, line by line.
  func spawn(_ acknowledgements: String, _ errors: String) throws -> Int32 {
    let words = [
      "work", kind.rawValue, stage.folder, "\(stage.seed)", "\(from)", "\(to)", "\(killCall)",
      "\(killAction)", wrong?.rawValue ?? "nothing", acknowledgements,
    ]
    let script = "exec \"$0\" \"$@\" 2>\"$CRASH_ERRORS\""
    return try TestSupport.spawn(
      ["/bin/sh", "-c", script, RunningProgram.path ?? ""] + words,
      environment: ["CRASH_ERRORS": errors])
  }

  /// Does it to its end, in a process of its own.
  func run(_ scratch: TemporaryFolder) throws {
    let errors = scratch.path + "/errors"
    let status = wait(for: try spawn(scratch.path + "/acknowledged", errors))
    guard status == 0 else {
      let text = String(decoding: try Files.read(errors), as: UTF8.self)
      throw Finding("step \(from), done again, ended with \(status): \(text)")
    }
  }

  /// The last step in a file of acknowledgements.
  static func lastAcknowledged(_ path: String) throws -> Int? {
    guard try Files.kind(of: path) != nil else { return nil }
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    return text.split(separator: "\n").last.flatMap { Int($0) }
  }

  /// Reads the words that `spawn` gives.
  init(_ words: ArraySlice<String>) throws {
    let words = Array(words)
    guard words.count == 9, let kind = SubjectKind(rawValue: words[0]),
      let seed = UInt64(words[2]), let from = Int(words[3]), let to = Int(words[4]),
      let call = Int(words[5]), let action = Int(words[6])
    else { throw Finding("work takes other words") }
    self.init(kind: kind, stage: Stage(words[1], seed: seed), from: from, to: to)
    killCall = call
    killAction = action
    wrong = Wrong(rawValue: words[7])
    acknowledgements = words[8]
  }

  private var acknowledgements = ""

  /// Does it in this process.
  func perform() throws {
    let file = FileDescriptor(
      rawValue: open(acknowledgements, O_WRONLY | O_CREAT | O_APPEND, 0o600))
    if killCall > 0 {
      crash_watch(stage.folder)
      crash_arm(Int32(crash_call_any), killCall, Int32(killAction), 5, 1)
    }
    let subject = kind.subject(stage)
    if from > 0 { try subject.open() }
    for step in from..<to {
      let line = Array("\(step)\n".utf8)
      if wrong == .early { try file.writeAll(line) }
      if wrong == .halves, step > 0 { try subject.performHalf(step) }
      try subject.perform(step)
      if wrong != .early { try file.writeAll(line) }
    }
    subject.close()
  }
}
