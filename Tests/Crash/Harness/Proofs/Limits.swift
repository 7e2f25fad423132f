import CrashInterposer
import FolioSystem
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A script on a disk that is full, with a map that is, above its quota, without descriptors; it is
/// given a little more each time it stops, until it comes to its end.
struct Limits {
  /// What there is too little of.
  enum Scarcity {
    /// What the system gives: bytes of disk, descriptors, bytes of a file.
    case system
    /// The map, which no page is left in.
    case map
    /// What may be in use of it.
    case quota
    /// Places in the outbox.
    case outbox
  }

  let kind: SubjectKind
  let scarcity: Scarcity
  let settings: Settings

  private let scratch: TemporaryFolder
  private let stage: Stage
  private let reference: Reference

  init(kind: SubjectKind, of scarcity: Scarcity, _ settings: Settings) throws {
    var settings = settings
    // Where each part does the same, it does so to a script of its own.
    if scarcity != .system { settings.seed &+= UInt64(settings.part) }
    self.kind = kind
    self.scarcity = scarcity
    self.settings = settings
    scratch = try TemporaryFolder("limits")
    let recording = try Recording.of(
      kind, seed: settings.seed, steps: settings.steps, scratch)
    reference = try Reference(recording, scratch)
    stage = Stage(scratch.path + "/run", seed: settings.seed)
  }

  /// Does this part's share; says how often a limit was met.
  func run() throws -> Int {
    switch scarcity {
    case .system: try limitSystem()
    case .map:
      try climb("bytes of map", from: 1 << 16, by: 1 << 14, sayingOnce: "the map of") {
        $1.room.mapByteCount = $0
        $1.room.quotaByteCount = $0
      }
    case .quota:
      try climb("bytes of quota", from: 1 << 14, by: 1 << 14, saying: "the quota of") {
        $1.room.quotaByteCount = $0
      }
    case .outbox:
      try climb("places in the outbox", from: 0, by: 1, saying: "wait to be sent") {
        $1.room.outboxCountMax = $0
      }
    }
  }

  private func limitSystem() throws -> Int {
    var count = 0
    if settings.part == 0 { count += try fillDisk() }
    if settings.part == settings.parts - 1 {
      count += try climb("descriptors", from: 3, by: 1) { limit, _ in
        var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
      }
      count += try climb("bytes of a file", from: 1 << 13, by: 1 << 14) { limit, _ in
        signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
      }
    }
    return count
  }

  /// A disk of its own, in memory, where the system lets this user have one.
  private func fillDisk() throws -> Int {
    try Trial.clear(scratch)
    func mount(_ options: String, _ byteCount: Int) throws -> Bool {
      try CommandRun.shell(
        "mount -t tmpfs -o \(options)size=\(byteCount) tmpfs '\(stage.folder)' 2>/dev/null"
      ).status == 0
    }
    guard try mount("", 1 << 14) else { return 0 }
    defer { _ = try? CommandRun.shell("umount '\(stage.folder)'") }
    try scratch.makeFolder("run/backups")
    return try climb("bytes of disk", from: 1 << 14, by: 1 << 13, isCleared: true) { _, _ in
    } before: { limit in
      // Not below what is there: then it is a little more.
      try mount("remount,", limit)
    } after: { limit in
      // Room to look at what is there.
      guard try mount("remount,", limit + 1 << 20) else { throw Finding("the disk does not grow") }
    }
  }

  /// Runs the script under a limit that grows, in a process of its own each time.
  ///
  /// The errors that stop it say `reason`, each of them; and `onceSaid` at least one.
  private func climb(
    _ what: String, from first: Int, by growth: Int, isCleared: Bool = false,
    saying reason: String = "", sayingOnce onceSaid: String = "",
    _ limit: (Int, any Subject) -> Void, before: (Int) throws -> Bool = { _ in true },
    after: (Int) throws -> Void = { _ in }
  ) throws -> Int {
    if !isCleared { try Trial.clear(scratch) }
    var next = 0
    var met = 0
    var isSaid = onceSaid.isEmpty
    var value = first
    while next < settings.steps {
      guard value < 1 << 26 else { throw Finding("\(value) \(what) are not enough") }
      let told = scratch.path + "/told"
      let why = scratch.path + "/why"
      for file in [told, why] { try Files.removeFile(file) }
      guard try before(value) else {
        value += growth
        continue
      }
      let status = try tryOn(from: next, told, why) { limit(value, $0) }
      let text = "\(value) \(what)"
      guard status == 0 || status == 1 else {
        throw Finding("\(text), from step \(next) on: the process ended with \(status)")
      }
      try after(value)
      var done = try Work.lastAcknowledged(told) ?? next - 1
      if settings.wrong == .swallow { done += 1 }
      next = try check(done, text)
      if status == 1 {
        met += 1
        let error = try scratch.text(of: "why")
        guard error.contains(reason) else { throw Finding("\(text): the error is \(error)") }
        isSaid = isSaid || error.contains(onceSaid)
      }
      value += growth
    }
    guard isSaid else { throw Finding("no error says \(onceSaid)") }
    return met
  }

  private func check(_ done: Int, _ text: String) throws -> Int {
    do {
      let check = Check(
        kind: kind, reference: reference, stage: stage, scratch: scratch,
        firstBackup: max(0, done))
      switch try check.run(acknowledged: done) {
      case .nothing: return 1
      case .step(let step): return step + 1
      case .within(let step):
        try redo(step)
        return step + 1
      }
    } catch {
      throw Finding("script \(settings.seed), \(text): \(error)")
    }
  }

  /// Does a step that is there by half once more, and lays the script's own state after it: the
  /// transactions of this one have other numbers now.
  private func redo(_ step: Int) throws {
    let subject = kind.subject(stage)
    defer { subject.close() }
    try subject.open()
    try subject.perform(step)
    subject.close()
    guard try Dump(folder: stage.store).meaning == reference.commits[reference.end(step)]?.meaning
    else {
      throw Finding("step \(step), cut off and done again, comes to something else")
    }
    try Files.removeTree(stage.store)
    try Files.removeTree(stage.folder + "/backups")
    try scratch.makeFolder("run/backups")
    for earlier in 0...step { try subject.perform(earlier) }
  }

  /// Goes on with the script in a process of its own: 0 where it came to its end, 1 where an error
  /// with a name stopped it.
  private func tryOn(
    from: Int, _ told: String, _ why: String, _ limit: (any Subject) -> Void
  ) throws -> Int32 {
    let file = open(told, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let reason = open(why, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(file)
      close(reason)
    }
    let process = crash_fork()
    if process != 0 { return wait(for: process) }
    alarm(60)
    let subject = kind.subject(stage)
    limit(subject)
    do {
      if from > 0 { try subject.open() }
      for step in from..<settings.steps {
        try subject.perform(step)
        // What makes a server's folder opens it with the usual room.
        if step == 0, scarcity != .system { try subject.open() }
        try FileDescriptor(rawValue: file).writeAll(Array("\(step)\n".utf8))
      }
      _exit(0)
    } catch {
      if !subject.isNamed(error) { print("no name: \(error)") }
      fflush(nil)
      // Where no byte more can be written there is no reason, either.
      _ = try? FileDescriptor(rawValue: reason).writeAll(Array("\(error)".utf8))
      _exit(subject.isNamed(error) ? 1 : 2)
    }
  }
}
