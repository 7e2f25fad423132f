/// Something that is promised, and how it is put to the test.
struct Proof {
  /// What it is called on the command line.
  var name: String
  /// What it says in a report.
  var title: String
  /// What is counted.
  var unit: String
  /// How many are done in the short form, and in the long.
  var short: Int
  var long: Int
  /// Does a part of the work, and says what was done; throws what is wrong.
  var run: @Sendable (Settings) throws -> Done

  /// All of them, in the order in which they are reported.
  static let all: [Proof] =
    both("kills", "process killed anywhere", "kills", 200, 2_000) {
      Done(try Kills(kind: $0, settings: $1).run())
    }
    + both("cuts", "power cut", "states", 2_000, 50_000) {
      Done(try PowerCuts(kind: $0, settings: $1).run())
    }
    + both("loop", "power of a mounted disk cut", "cuts", 20, 1_000) {
      Done(try Kills.cuttingPower($0, $1))
    }
    + both("calls", "failing calls", "faults", 12, 60) {
      Done(try FailingCalls(kind: $0, settings: $1).run())
    }
    + both("damage", "damaged file", "damages", 1_500, Damages.all) {
      try Damages(kind: $0, settings: $1).run()
    }
    + both("limits", "full disk, no descriptors", "limits met", 1, 1) {
      Done(try Limits(kind: $0, of: .system, $1).run())
    }
    + both("map", "full map", "limits met", 1, 1) {
      Done(try Limits(kind: $0, of: .map, $1).run())
    }
    + both("quota", "used-up quota", "limits met", 1, 1) {
      Done(try Limits(kind: $0, of: .quota, $1).run())
    }
    + both("model", "beside a model", "operations", 100_000, 10_000_000) {
      Done(try Models(kind: $0, settings: $1).run())
    }
    + both("growth", "overwriting beside readers", "overwrites", 5_000, 100_000) {
      Done(try Growth(kind: $0, settings: $1).run())
    }
    + [
      Proof(
        name: "outbox-client", title: "full outbox, client", unit: "limits met", short: 1, long: 1,
        run: { Done(try Limits(kind: .client, of: .outbox, $0).run()) }),
      Proof(
        name: "restore-server", title: "restore cut off or failing, server", unit: "faults",
        short: 100, long: 100,
        run: { settings in
          var restores = try Restores(settings)
          return Done(try restores.run())
        }),
      Proof(
        name: "connections", title: "connections made and broken", unit: "connections",
        short: 10_000, long: 10_000, run: { Done(try Connections(settings: $0).run()) }),
    ]

  private static func both(
    _ name: String, _ title: String, _ unit: String, _ short: Int, _ long: Int,
    _ run: @escaping @Sendable (SubjectKind, Settings) throws -> Done
  ) -> [Proof] {
    SubjectKind.allCases.map { kind in
      Proof(
        name: "\(name)-\(kind)", title: "\(title), \(kind)", unit: unit, short: short, long: long
      ) { try run(kind, $0) }
    }
  }
}

/// What a part of a proof did.
struct Done {
  /// How many of what is counted.
  var count: Int
  /// In how many of them the system ended a process that was to be told of damage; nil where there is
  /// no such process.
  var ended: Int?

  init(_ count: Int = 0, ended: Int? = nil) {
    self.count = count
    self.ended = ended
  }

  /// Reads the line that says so; nil where it is another.
  init?(_ line: String) {
    let words = line.split(separator: " ")
    guard words.first == "done", words.count > 1, let count = Int(words[1]) else { return nil }
    self.init(count, ended: words.count > 2 ? Int(words[2]) : nil)
  }

  /// A line that says so.
  var line: String { "done \(count)" + (ended.map { " \($0)" } ?? "") }

  /// Adds what another part did.
  mutating func add(_ other: Done) {
    count += other.count
    if let more = other.ended { ended = (ended ?? 0) + more }
  }
}
