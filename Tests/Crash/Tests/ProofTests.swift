import TestSupport
import Testing

/// The proofs of `make crash`, each with few rounds, and each seen to notice what it is there for.
@Suite struct ProofTests {
  private func run(_ proof: String, _ words: String...) throws -> CommandRun {
    // The address sanitizer, where there is one, holds on to what is freed: not to more than is allowed
    // to the programs whose memory is looked at. With it, too, a process that a damaged file leads out
    // of its memory ends by a signal.
    try BuiltProgram("folio-crash").run(
      [proof, "--seed", "11", "--steps", "16", "--parts", "1"] + words,
      environment: ["ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0:quarantine_size_mb=1"],
      within: 20)
  }

  @Test(arguments: ["client", "server"]) func killsLoseNothing(side: String) throws {
    let run = try run("kills-\(side)", "--count", "6")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test(arguments: ["client", "server"]) func powerCutsLoseNothing(side: String) throws {
    let run = try run("cuts-\(side)", "--count", "40")
    #expect(run.status == 0, "\(run.output)")
  }

  /// Where no disk can be mounted, it says so.
  @Test(arguments: ["client", "server"]) func aMountedDiskWithoutPowerLosesNothing(side: String)
    throws
  {
    let sound = try run("loop-\(side)", "--count", "3")
    #expect(sound.status == 0, "\(sound.output)")
    if sound.output.contains("skipped: ") { return }
    #expect(sound.output.contains("3 cuts"))
    let wrong = try run("loop-\(side)", "--count", "40", "--wrong", "early")
    #expect(wrong.status == 1 && wrong.output.contains("acknowledged"), "\(wrong.output)")
  }

  @Test(arguments: ["client", "server"]) func failingCallsLoseNothing(side: String) throws {
    let run = try run("calls-\(side)", "--count", "1")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func restoresLoseNothing() throws {
    let run = try run("restore-server", "--count", "1")
    #expect(run.status == 0, "\(run.output)")
    let wrong = try self.run("restore-server", "--count", "1", "--wrong", "early")
    #expect(wrong.status == 1 && wrong.output.contains("acknowledged"), "\(wrong.output)")
  }

  @Test(arguments: [
    "limits-client", "limits-server", "map-client", "map-server", "quota-client", "quota-server",
    "outbox-client",
  ])
  func limitsLoseNothing(proof: String) throws {
    let run = try run(proof)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test(arguments: ["client", "server"]) func modelsAgree(side: String) throws {
    let run = try run("model-\(side)", "--count", "480")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("480 operations"))
  }

  @Test func aFullOutboxThatIsTakenForRoomIsNoticed() throws {
    let run = try run("outbox-client", "--wrong", "swallow")
    #expect(run.status == 1 && run.output.contains("acknowledged"), "\(run.output)")
  }

  @Test(arguments: ["client", "server"]) func damageIsNeverShown(side: String) throws {
    let run = try run("damage-\(side)", "--count", "60")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test(arguments: [("growth-client", "800"), ("growth-server", "800"), ("connections", "200")])
  func resourcesAreBounded(proof: (String, String)) throws {
    let sound = try run(proof.0, "--count", proof.1)
    #expect(sound.status == 0, "\(sound.output)")
    let wrong = try run(proof.0, "--count", proof.1, "--wrong", "halves")
    #expect(wrong.status == 1 && wrong.output.contains("BROKEN"), "\(wrong.output)")
  }

  /// What is done wrong on purpose, and what the proof says of it.
  static let wrongs = [
    ("kills", "early", "acknowledged"), ("kills", "halves", "by half"),
    ("cuts", "early", "acknowledged"), ("cuts", "files", "cut at call"),
    ("calls", "swallow", "acknowledged"), ("limits", "swallow", "acknowledged"),
    ("damage", "early", "not true"), ("cuts", "folders", "there is no storage"),
    ("cuts", "writes", "was acknowledged"), ("map", "swallow", "acknowledged"),
    ("quota", "swallow", "acknowledged"), ("model", "swallow", "and not"),
  ]

  @Test(arguments: wrongs, ["client", "server"])
  func brokenPromisesAreNoticed(wrong: (String, String, String), side: String) throws {
    let run = try run("\(wrong.0)-\(side)", "--count", "60", "--wrong", wrong.1)
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains(wrong.2), "\(run.output)")
    #expect(run.output.contains("BROKEN"))
  }
}
