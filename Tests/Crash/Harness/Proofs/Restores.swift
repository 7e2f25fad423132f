import CrashInterposer
import FolioDomain
import FolioServer
import FolioSystem
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server's backup put in place of what is there, cut off in every way: the place holds what it
/// held, or all of the backup under its new ids, and a restore can be done again.
struct Restores {
  let settings: Settings

  private let scratch: TemporaryFolder
  private let stage: Stage
  private let backup: String
  private var old: [UInt8] = []

  init(_ settings: Settings) throws {
    self.settings = settings
    scratch = try TemporaryFolder("restores")
    stage = Stage(scratch.path + "/run", seed: settings.seed)
    backup = scratch.path + "/backup"
  }

  /// Does this part's share; says how many faults there were.
  mutating func run() throws -> Int {
    try prepare()
    crash_watch(stage.folder)
    defer { crash_watch("") }
    try lay()
    let before = try Dump(folder: stage.store)
    try lay()
    try restore()
    let after = try Dump(folder: stage.store)
    guard before.contents != after.contents else { throw Finding("the backup is the state") }
    let ends = (before.contents, after.contents)
    var count = 0
    if settings.part == 0 { count += try kill(ends) }
    for (index, fault) in Fault.all.prefix(settings.count).enumerated()
    where index % settings.parts == settings.part {
      var number = 1
      while try fail(fault, number, ends) { number += 1 }
      count += number - 1
    }
    return count
  }

  private typealias Ends = (before: Hash256, after: Hash256)

  /// A script with a backup in its midst.
  private mutating func prepare() throws {
    try Trial.clear(scratch)
    let subject = ServerSubject(stage)
    for step in 0..<settings.steps / 2 { try subject.perform(step) }
    _ = try subject.server().backUp(to: backup, now: stage.clock.now())
    for step in settings.steps / 2..<settings.steps { try subject.perform(step) }
    subject.close()
    old = try Files.read(stage.data)
  }

  private func lay() throws {
    try Trial.clear(scratch)
    try scratch.makeFolder("run/store")
    try scratch.write(old, to: "run/store/data.mdb")
  }

  private func restore() throws {
    _ = stage.begin(1_000)
    let restored = try ServerFolder.restore(
      from: backup, to: stage.store, random: stage.ids, now: stage.clock.now())
    restored.folder.storage.close()
  }

  /// Kills a process at each of its calls, before, within and after it; says how often.
  private func kill(_ ends: Ends) throws -> Int {
    var count = 0
    let actions = [crash_act_kill_before, crash_act_kill_half, crash_act_kill_after]
    for action in actions.prefix(settings.count) {
      for number in 1... {
        try lay()
        let process = crash_fork()
        if process == 0 {
          crash_arm(Int32(crash_call_any), number, Int32(action), EIO, 1)
          let isDone = (try? restore()) != nil
          _exit(isDone ? 0 : 1)
        }
        let status = wait(for: process)
        guard status == 0 || status == 128 + SIGKILL else {
          throw Finding("a restore ended with \(status)")
        }
        if settings.wrong == .early {
          try check(isDone: true, ends, "killed at call \(number)")
        }
        try check(isDone: status == 0, ends, "killed at call \(number)")
        if status == 0 { break }
        count += 1
      }
    }
    return count
  }

  /// Lets a call fail; false where there was no such call.
  private func fail(_ fault: Fault, _ number: Int, _ ends: Ends) throws -> Bool {
    try lay()
    fault.arm(at: number)
    let outcome = Result { try restore() }
    guard Fault.disarm() else {
      try outcome.get()
      return false
    }
    let what = "\(fault.text) number \(number)"
    if case .failure(let error) = outcome, !ServerSubject(stage).isNamed(error) {
      throw Finding("\(what): the error has no name: \(error)")
    }
    try check(isDone: (try? outcome.get()) != nil, ends, what)
    return true
  }

  private func check(isDone: Bool, _ ends: Ends, _ what: String) throws {
    let subject = ServerSubject(stage)
    do {
      try subject.open()
      let problems = try subject.problems()
      subject.close()
      if let problem = problems.first { throw Finding("a rule is broken: \(problem)") }
      let found = try Dump(folder: stage.store).contents
      guard found == ends.after || (!isDone && found == ends.before) else {
        throw Finding(
          isDone
            ? "it was acknowledged, and the place holds something else"
            : "the place holds neither what it held nor the backup")
      }
      try restore()
      guard try Dump(folder: stage.store).contents == ends.after else {
        throw Finding("done again, it comes to something else")
      }
      try expectKept(ends)
    } catch {
      subject.close()
      throw Finding("restore, script \(settings.seed), \(what): \(error)")
    }
  }

  /// What was in the place is still there under another name, whole.
  private func expectKept(_ ends: Ends) throws {
    for name in try Files.entries(of: stage.store) where name.contains(".replaced-") {
      let data = try Files.read(stage.store + "/" + name)
      if try Dump(data: data, scratch: scratch).contents == ends.before { return }
    }
    throw Finding("what was in the place is kept nowhere")
  }
}
