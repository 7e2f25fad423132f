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
  /// Does a part of the work, and says how many were done; throws what is wrong.
  var run: @Sendable (Settings) throws -> Int

  /// All of them, in the order in which they are reported.
  static let all: [Proof] =
    SubjectKind.allCases.map { kind in
      Proof(
        name: "kills-\(kind)", title: "process killed anywhere, \(kind)", unit: "kills",
        short: 200, long: 2_000, run: { try Kills(kind: kind, settings: $0).run() })
    }
    + SubjectKind.allCases.map { kind in
      Proof(
        name: "cuts-\(kind)", title: "power cut, \(kind)", unit: "states", short: 2_000,
        long: 50_000, run: { try PowerCuts(kind: kind, settings: $0).run() })
    }
    + SubjectKind.allCases.map { kind in
      Proof(
        name: "calls-\(kind)", title: "failing calls, \(kind)", unit: "faults", short: 12,
        long: 60, run: { try FailingCalls(kind: kind, settings: $0).run() })
    }
    + SubjectKind.allCases.map { kind in
      Proof(
        name: "damage-\(kind)", title: "damaged file, \(kind)", unit: "damages", short: 1_500,
        long: 1_000_000, run: { try Damages(kind: kind, settings: $0).run() })
    }
    + [
      Proof(
        name: "restore-server", title: "restore cut off or failing, server", unit: "faults",
        short: 100, long: 100,
        run: { settings in
          var restores = try Restores(settings)
          return try restores.run()
        })
    ]
}
