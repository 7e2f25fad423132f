/// What a course is to be: all of it follows from its seed.
public struct Course: Sendable {
  /// What everything follows from.
  public var seed: UInt64
  /// What is broken on purpose, in tests of the simulation itself.
  public var flaw: Flaw?
  /// Whether to keep what happened as lines to read.
  public var tellsStory: Bool

  /// The course of a seed, with nothing broken.
  public init(seed: UInt64, flaw: Flaw? = nil, tellsStory: Bool = false) {
    self.seed = seed
    self.flaw = flaw
    self.tellsStory = tellsStory
  }

  /// Runs the course to its end, and looks at what it came to.
  public func run() -> Verdict {
    let world = World(self)
    var failure: String?
    do {
      try world.run()
      try world.rest()
      try world.judge()
    } catch let error as Failure {
      failure = error.message
    } catch {
      failure = "unexpected: \(error)"
    }
    return Verdict(
      failure: failure, story: world.story.lines, digest: world.story.digest, counts: world.counts)
  }
}

/// What a course came to.
public struct Verdict: Sendable {
  /// What was promised and does not hold; nil where all holds.
  public var failure: String?
  /// What happened, where it was to be told.
  public var story: [String]
  /// A number that follows from everything that happened: equal for equal courses.
  public var digest: UInt64
  /// How often what happened.
  public var counts: Counts
}

/// How often what happened in a course, to see that it is about something.
public struct Counts: Sendable {
  /// Transactions that were saved.
  public var saved = 0
  /// Connections that were made.
  public var connections = 0
  /// Syncs that ended well before the end.
  public var syncs = 0
  /// Faults that were injected, of all kinds.
  public var faults = 0
  /// Rounds of syncs until nothing was left to do.
  public var rounds = 0
  /// States that were built anew beside the old one.
  public var rebuilds = 0
  /// Entries that servers were given again.
  public var refilled = 0
  /// Times that a copy took a device id of its own.
  public var identities = 0

  /// Nothing happened.
  public init() {}

  /// Adds another course's.
  public mutating func add(_ other: Counts) {
    saved += other.saved
    connections += other.connections
    syncs += other.syncs
    faults += other.faults
    rounds = max(rounds, other.rounds)
    rebuilds += other.rebuilds
    refilled += other.refilled
    identities += other.identities
  }
}

/// Something promised that does not hold.
struct Failure: Error {
  var message: String
}

/// A promise broken on purpose, which a simulation that is worth anything finds.
public enum Flaw: String, CaseIterable, Sendable {
  /// A device keeps nothing of what was acknowledged, though the server may lose it.
  case keepsNoEntries
  /// A device that sends a transaction again gives it another id.
  case sendsAgainAsAnother
  /// A device counts an entry of another twice.
  case countsTwice
  /// A device's disk says that a commit is durable, and loses the last one in a crash.
  case diskLosesACommit
  /// The server says that it has a backup of entries which none has.
  case marksWithoutABackup
}
