import CrashInterposer
import FolioSystem
import TestSupport

/// Failing calls: in each step of a script the first call of a kind fails, then the second, and so
/// on until the step ends without meeting one; once, and from then on.
struct FailingCalls {
  let kind: SubjectKind
  let settings: Settings

  /// Tries this part's steps, as many as are asked for; says how many faults there were.
  func run() throws -> Int {
    let scratch = try TemporaryFolder("failing")
    let recording = try Recording.of(
      kind, seed: settings.seed, steps: settings.steps, scratch)
    let reference = try Reference(recording, scratch)
    let stage = Stage(scratch.path + "/run", seed: settings.seed)
    crash_watch(stage.folder)
    defer { crash_watch("") }
    var faults = 0
    for step in chosen(stage) {
      let before = try state(before: step, stage, scratch)
      let trial = Trial(
        kind: kind, settings: settings, stage: stage, reference: reference, scratch: scratch,
        before: before, step: step, isOpening: false)
      faults += try trial.runAll()
      if before != nil {
        var opening = trial
        opening.isOpening = true
        faults += try opening.runAll()
      }
    }
    return faults
  }

  /// This part's steps: first one of each name, then others, as many as are asked for.
  private func chosen(_ stage: Stage) -> [Int] {
    let subject = kind.subject(stage)
    var seen: Set<String> = []
    var first: [Int] = []
    var others: [Int] = []
    for step in 0..<settings.steps {
      if seen.insert(subject.name(of: step)).inserted {
        first.append(step)
      } else {
        others.append(step)
      }
    }
    return (first + others).prefix(settings.count).enumerated().filter {
      $0.offset % settings.parts == settings.part
    }.map(\.element)
  }

  /// The data file before a step, made by all steps before it; nil where there is none.
  private func state(before step: Int, _ stage: Stage, _ scratch: TemporaryFolder) throws
    -> [UInt8]?
  {
    if step == 0 { return nil }
    try Trial.clear(scratch)
    let subject = kind.subject(stage)
    for earlier in 0..<step { try subject.perform(earlier) }
    subject.close()
    return try Files.read(stage.data)
  }
}

/// A step, or the opening before it, of which one call after another fails.
struct Trial {
  let kind: SubjectKind
  let settings: Settings
  let stage: Stage
  let reference: Reference
  let scratch: TemporaryFolder
  /// The data file before the step; nil where there is none.
  let before: [UInt8]?
  let step: Int
  /// Whether calls fail while the storage is opened, and not in the step.
  var isOpening: Bool

  /// Tries every fault at every call; says how many that were.
  func runAll() throws -> Int {
    var count = 0
    for fault in Fault.all {
      var number = 1
      while try run(fault, number) { number += 1 }
      count += number - 1
    }
    return count
  }

  static func clear(_ scratch: TemporaryFolder) throws {
    try scratch.remove("run")
    try scratch.makeFolder("run")
    try scratch.makeFolder("run/backups")
  }

  /// Lets a call fail and checks what is left; false where there was no such call.
  private func run(_ fault: Fault, _ number: Int) throws -> Bool {
    try Self.clear(scratch)
    if let before {
      try scratch.makeFolder("run/store")
      try scratch.write(before, to: "run/store/data.mdb")
    }
    let subject = kind.subject(stage)
    defer { subject.close() }
    do {
      return try run(fault, number, subject)
    } catch {
      throw Finding(
        "script \(settings.seed), step \(step), \(isOpening ? "opening before " : "")"
          + "\(subject.name(of: step)), \(fault.text) number \(number): \(error)")
    }
  }

  private func run(_ fault: Fault, _ number: Int, _ subject: any Subject) throws -> Bool {
    if before != nil, !isOpening { try subject.open() }
    fault.arm(at: number)
    let outcome = Result { try isOpening ? subject.open() : subject.perform(step) }
    guard Fault.disarm() else {
      try outcome.get()
      return false
    }
    subject.close()
    var isDone = !isOpening
    if case .failure(let error) = outcome {
      guard subject.isNamed(error) else { throw Finding("the error has no name: \(error)") }
      if settings.wrong != .swallow { isDone = false }
    }
    let check = Check(
      kind: kind, reference: reference, stage: stage, scratch: scratch, firstBackup: step)
    let found = try check.run(acknowledged: isDone ? step : step - 1)
    guard case .failure(let error) = outcome else { return true }
    if found == .step(step), subject.isWhole(step), !subject.leavesOutcomeOpen(error) {
      throw Finding("it was done, and the error says that it was not: \(error)")
    }
    if found != .step(step), found != .nothing { try redo(subject) }
    return true
  }

  /// What failed succeeds once no call fails any more, and comes to the same.
  private func redo(_ subject: any Subject) throws {
    try subject.open()
    try subject.perform(step)
    subject.close()
    let dump = try Dump(folder: stage.store)
    guard reference.commits[reference.end(step)]?.meaning == dump.meaning else {
      throw Finding("done again after it failed, it comes to something else")
    }
  }
}
