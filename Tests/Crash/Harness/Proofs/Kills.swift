import CrashInterposer
import FolioSystem
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Kills: a process that runs a script is killed, by itself at a chosen call or from outside at a
/// random moment; what is left is checked, and the script goes on from there.
///
/// On a disk of its own, its power is cut at a random moment, and it is started again.
struct Kills {
  let kind: SubjectKind
  let settings: Settings
  /// What the power of is cut, rather than that a process is killed.
  var disk: LoopDisk?

  /// Cuts the power of a disk instead; says how often.
  static func cuttingPower(_ kind: SubjectKind, _ settings: Settings) throws -> Int {
    try Kills(kind: kind, settings: settings, disk: LoopDisk()).run()
  }

  /// Does this part's kills; says how many.
  func run() throws -> Int {
    let scratch = try TemporaryFolder("kills")
    let wanted = settings.count / settings.parts
    var done = 0
    var script = 0
    while done < wanted {
      let seed = settings.seed &+ UInt64(script * settings.parts + settings.part)
      var random = SeededRandom(seed: seed)
      do {
        done += try run(seed, upTo: wanted - done, &random, scratch)
      } catch {
        throw Finding("script \(seed): \(error)")
      }
      script += 1
    }
    return done
  }

  /// Runs one script to its end, through that many kills at most.
  private func run(
    _ seed: UInt64, upTo limit: Int, _ random: inout SeededRandom, _ scratch: TemporaryFolder
  ) throws -> Int {
    let halves = settings.wrong == .halves
    let recording = try Recording.of(
      kind, seed: seed, steps: settings.steps, scratch, wrong: halves ? .halves : nil)
    let reference = try Reference(recording, scratch)
    let folder = (disk?.path ?? scratch.path) + "/run"
    try Files.removeTree(folder)
    try Files.makeFolder(folder)
    try Files.makeFolder(folder + "/backups")
    if disk != nil { try Files.syncFolder(folder) }
    let stage = Stage(folder, seed: seed)
    let check = Check(kind: kind, reference: reference, stage: stage, scratch: scratch)
    var next = 0
    var kills = 0
    while next < settings.steps, kills < limit {
      let work = Work(kind: kind, stage: stage, from: next, to: settings.steps)
      let acknowledged = try killed(work, &random, scratch) ?? next - 1
      if acknowledged == settings.steps - 1 { return kills }
      kills += 1
      switch try check.run(acknowledged: acknowledged) {
      case .nothing, .step(0): next = try opens(stage) ? 1 : 0
      case .step(let step): next = step + 1
      case .within(let step):
        // What is left of the step is done again, and comes to the same.
        try Work(kind: kind, stage: stage, from: step, to: step + 1).run(scratch)
        try expectEnd(of: step, stage, reference)
        return kills
      }
    }
    return kills
  }

  private func opens(_ stage: Stage) throws -> Bool {
    let subject = kind.subject(stage)
    defer { subject.close() }
    try subject.open()
    return true
  }

  private func expectEnd(of step: Int, _ stage: Stage, _ reference: Reference) throws {
    let dump = try Dump(folder: stage.store)
    guard reference.commits[reference.end(step)]?.meaning == dump.meaning else {
      throw Finding("step \(step), cut off and done again, comes to something else")
    }
  }

  /// Runs a script until it is killed; the last step that it acknowledged, nil where none was.
  private func killed(
    _ work: Work, _ random: inout SeededRandom, _ scratch: TemporaryFolder
  ) throws -> Int? {
    var work = work
    work.wrong = settings.wrong
    let isExact = disk == nil && random.one(in: 2)
    if isExact {
      work.killCall = random.int(1...80)
      work.killAction = random.pick([
        crash_act_kill_before, crash_act_kill_half, crash_act_kill_after,
      ])
    }
    let acknowledgements = scratch.path + "/acknowledged"
    try Files.removeFile(acknowledgements)
    let errors = scratch.path + "/errors"
    let process = try work.spawn(acknowledgements, errors)
    if !isExact {
      if random.one(in: 2) {
        // Past its start, into its steps.
        for _ in 0..<2_000 where (try? Files.byteCount(of: acknowledgements)) ?? 0 == 0 {
          usleep(500)
        }
      }
      usleep(UInt32(random.int(0...40_000)))
      // First of all the process, none of whose threads goes on past the call that it is in: a sync
      // that a disk without power says it has done is acknowledged by nobody.
      kill(process, SIGKILL)
      try disk?.cut()
    }
    let status = wait(for: process)
    try disk?.startAgain()
    // A step that met a disk without power ends the script with an error.
    if disk != nil { return try Work.lastAcknowledged(acknowledgements) }
    guard status == 0 || status == 128 + SIGKILL else {
      let text = String(decoding: try Files.read(errors), as: UTF8.self)
      throw Finding("from step \(work.from) on the script ended with \(status): \(text)")
    }
    return try Work.lastAcknowledged(acknowledgements)
  }
}
