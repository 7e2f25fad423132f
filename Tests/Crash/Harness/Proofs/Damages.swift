import CrashInterposer
import FolioSystem
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Damaged files: one bit of a data file is another, or its end is missing.
///
/// A check of the file gives a clear answer; and whoever reads it without a check is told, or sees
/// what is true. Each is done in a process of its own.
struct Damages {
  let kind: SubjectKind
  let settings: Settings

  /// What a process that looked at a damaged file has to say.
  private enum Answer: Int32 {
    case sound = 0
    case refused = 10
    case problems = 11
    case unnamed = 12
    case wrong = 13
    /// Something that is there is not shown.
    case less = 14
    /// Nothing is said, since the system ended the process.
    case ended = 128
  }

  /// How the system ends a process that was led out of its file, or that works longer than it may.
  ///
  /// The engine ends it itself where it finds a page that cannot be. A trap of this program's own
  /// code is none of them.
  private static let signalsOfReading = [SIGBUS, SIGSEGV, SIGABRT, SIGKILL, SIGXCPU]

  /// Stands for as many damages as there are: each byte, and each length.
  static let all = Int.max
  /// How many steps make the small store of which all are tried.
  private static let stepsOfAll = 16

  private enum Damage {
    case flip(byte: Int, bit: UInt8)
    case cut(length: Int)

    var text: String {
      switch self {
      case .flip(let byte, let bit): "bit \(bit) of byte \(byte), page \(byte / 4096), flipped"
      case .cut(let length): "cut off after \(length) bytes"
      }
    }
  }

  /// Damages a file in this part's ways; says in how many, and how many ended a reader.
  func run() throws -> Done {
    let scratch = try TemporaryFolder("damages")
    let stage = Stage(scratch.path + "/run", seed: settings.seed)
    try Trial.clear(scratch)
    let subject = kind.subject(stage)
    var shown: [String] = []
    let steps = settings.count == Self.all ? Self.stepsOfAll : settings.steps
    for step in 0..<steps {
      // What was true too early is not true any more.
      if settings.wrong == .early, step == steps / 2 { shown = try subject.shown() }
      try subject.perform(step)
    }
    if settings.wrong != .early { shown = try subject.shown() }
    subject.close()
    let whole = try Files.read(stage.data)
    // An engine asks for megabytes as it is opened.
    crash_take_blocks_from_system()
    try checkUndamaged(kind.subject(stage), shown)
    var random = SeededRandom(seed: settings.seed &+ UInt64(settings.part))
    var done = Done(ended: 0)
    let count = settings.count == Self.all ? 2 * whole.count : settings.count
    for number in 0..<count {
      let damage = damage(number, whole.count, &random)
      guard number % settings.parts == settings.part, number == settings.only ?? number else {
        continue
      }
      try Trial.clear(scratch)
      try scratch.makeFolder("run/store")
      try scratch.write(damaged(whole, damage), to: "run/store/data.mdb")
      let checked = try check(damage, stage)
      try Trial.clear(scratch)
      try scratch.makeFolder("run/store")
      try scratch.write(damaged(whole, damage), to: "run/store/data.mdb")
      let seen = try read(damage, stage, shown)
      if checked == .sound, !isBearable(damage, seen) {
        throw Finding("\(damage.text): it does harm, and the check finds nothing wrong")
      }
      done.count += 1
      if seen == .ended { done.ended? += 1 }
    }
    return done
  }

  /// Nothing is said of a file without damage; and the processes that follow, which are copies of
  /// this one, find ready what takes its time when it is first done.
  private func checkUndamaged(_ subject: any Subject, _ shown: [String]) throws {
    let problems = try subject.check()
    if let problem = problems.first { throw Finding("without damage: \(problem)") }
    try subject.open()
    let seen = try subject.shown()
    subject.close()
    if settings.wrong == nil, seen != shown { throw Finding("without damage, less is shown") }
  }

  /// Whether a file with that damage may be called sound by a check: all is shown, and if it was cut
  /// off, then where pages end, behind which a sound file may have free ones alone.
  private func isBearable(_ damage: Damage, _ seen: Answer) -> Bool {
    if case .cut(let length) = damage, length % 4096 != 0 { return false }
    return seen == .sound
  }

  /// One in eight is a cut; where all are tried, first each byte's turn comes, then each length's.
  private func damage(_ number: Int, _ byteCount: Int, _ random: inout SeededRandom) -> Damage {
    let isAll = settings.count == Self.all
    let place = isAll ? number % byteCount : random.int(0...byteCount - 1)
    let bit = UInt8(random.int(0...7))
    if isAll ? number >= byteCount : random.one(in: 8) {
      return .cut(length: place)
    }
    return .flip(byte: place, bit: bit)
  }

  private func damaged(_ whole: [UInt8], _ damage: Damage) -> [UInt8] {
    var bytes = whole
    switch damage {
    case .flip(let byte, let bit): bytes[byte] ^= 1 << bit
    case .cut(let length): bytes.removeLast(bytes.count - length)
    }
    return bytes
  }

  /// A check gives a clear answer.
  private func check(_ damage: Damage, _ stage: Stage) throws -> Answer {
    try answer(damage, "checked", seconds: 10) {
      let subject = kind.subject(stage)
      do {
        return try subject.check().isEmpty ? .sound : .problems
      } catch {
        return subject.isNamed(error) ? .refused : .unnamed
      }
    }
  }

  /// Whoever reads without a check sees what is true, or an error, or nothing.
  private func read(_ damage: Damage, _ stage: Stage, _ shown: [String]) throws -> Answer {
    try answer(damage, "read", seconds: 2) {
      let subject = kind.subject(stage)
      do {
        try subject.open()
        let seen = try subject.shown()
        if !Set(seen).isSubset(of: shown) { return .wrong }
        return seen == shown ? .sound : .less
      } catch {
        return subject.isNamed(error) ? .refused : .unnamed
      }
    }
  }

  /// What a process says of it; one that works longer is ended, and one that waits for a minute.
  private func answer(
    _ damage: Damage, _ what: String, seconds: rlim_t, _ body: () -> Answer
  ) throws -> Answer {
    let process = crash_fork()
    if process == 0 {
      var limit = rlimit(rlim_cur: seconds, rlim_max: seconds)
      setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
      alarm(60)
      _exit(body().rawValue)
    }
    // Its limits end one that would take for ever.
    let status = waitForEnd(of: process)
    if what == "read", status > 128 {
      if !Self.signalsOfReading.contains(status - 128) {
        throw Finding("\(damage.text): as it was read, the process ended by signal \(status - 128)")
      }
      return .ended
    }
    guard let answer = Answer(rawValue: status) else {
      throw Finding("\(damage.text): as it was \(what), the process ended with \(status)")
    }
    switch answer {
    case .unnamed: throw Finding("\(damage.text): as it was \(what), an error had no name")
    case .wrong: throw Finding("\(damage.text): something is shown that is not true")
    default: return answer
    }
  }
}
