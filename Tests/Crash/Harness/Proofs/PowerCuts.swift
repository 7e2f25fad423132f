import TestSupport

/// Power cuts: scripts are recorded, and states that a cut could leave are made and checked.
struct PowerCuts {
  let kind: SubjectKind
  let settings: Settings

  /// How many states are made of a script.
  private static let statesPerScript = 250

  /// Makes this part's states; says how many.
  func run() throws -> Int {
    let scratch = try TemporaryFolder("cuts")
    let scripts = (settings.count + Self.statesPerScript - 1) / Self.statesPerScript
    var done = 0
    for script in 0..<scripts {
      let first = script * Self.statesPerScript
      let states = first..<min(settings.count, first + Self.statesPerScript)
      let mine = states.filter { state in
        settings.only.map { $0 == state } ?? (state % settings.parts == settings.part)
      }
      if mine.isEmpty { continue }
      try cut(script, mine, scratch)
      done += mine.count
    }
    return done
  }

  private func cut(_ script: Int, _ states: [Int], _ scratch: TemporaryFolder) throws {
    let seed = settings.seed &+ UInt64(script)
    let sound = try Recording.of(kind, seed: seed, steps: settings.steps, scratch)
    let reference = try Reference(sound, scratch)
    var recording = sound
    if let wrong = settings.wrong {
      recording = try Recording.of(
        kind, seed: seed, steps: settings.steps, scratch, wrong: wrong)
    }
    let planned = states.map { state in
      var random = SeededRandom(seed: seed &* 1_000_003 &+ UInt64(state))
      return Plan(state: state, cut: random.int(0...recording.events.count), random: random)
    }.sorted { ($0.cut, $0.state) < ($1.cut, $1.state) }
    var disk = Disk()
    var acknowledged = -1
    var next = 0
    for plan in planned {
      while next < plan.cut {
        disk.apply(recording.events[next])
        if case .acknowledged(let step) = recording.events[next] { acknowledged = step }
        next += 1
      }
      let event = next < recording.events.count ? recording.events[next] : nil
      try check(plan, disk, event, acknowledged, reference, seed, scratch)
    }
  }

  private struct Plan {
    var state: Int
    var cut: Int
    var random: SeededRandom
  }

  private func check(
    _ plan: Plan, _ disk: Disk, _ event: Recording.Event?, _ acknowledged: Int,
    _ reference: Reference, _ seed: UInt64, _ scratch: TemporaryFolder
  ) throws {
    try scratch.makeFolder("state")
    let folder = scratch.path + "/state"
    var random = plan.random
    try disk.cut(during: event, &random, into: folder)
    do {
      let check = Check(
        kind: kind, reference: reference, stage: Stage(folder, seed: seed), scratch: scratch)
      _ = try check.run(acknowledged: acknowledged)
    } catch {
      throw Finding("state \(plan.state), cut at call \(plan.cut): \(error)")
    }
    try scratch.remove("state")
  }
}
