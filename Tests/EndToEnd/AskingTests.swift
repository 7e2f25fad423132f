import TestSupport
import Testing

/// What `sync` asks a person at a terminal, on a real one, and what each answer does.
@Suite("A sync that needs a person's word")
struct AskingTests {
  /// A question, how it comes to be asked, and what the phone holds after each answer.
  struct Question: Sendable, CustomTestStringConvertible {
    var code: String
    /// Words of the question.
    var text: String
    /// The commands that would answer it, in the order in which they are offered.
    var answers: [String]
    /// What the phone holds after the first answer, after the second, and so on.
    var held: [[String]]
    var arrange: @Sendable (borrowing World) throws -> Void

    var testDescription: String { code }
  }

  static let questions = [
    Question(
      code: "restoredBackup", text: "was restored from a backup",
      answers: ["sync --keep server", "sync --keep backup"], held: [["5", "2"], ["1"]],
      arrange: { try $0.restorePhone() }),
    Question(
      code: "serverLacksEntries", text: "which this store no longer keeps",
      answers: ["sync --accept-shorter-log"], held: [["2"]],
      arrange: { world in
        try world.server("backup", world.path("backup"))
        try world.tablet("stock:S", "2")
        _ = try world.row("phone", "sync")
        try world.emptyServer()
      }),
    Question(
      code: "wrongAccount", text: "is not the one that this store belongs to",
      answers: ["sync --adopt-account"], held: [["1", "2"]],
      arrange: { world in
        try world.emptyServer()
        _ = try world.row("new", "init", "--server", world.url, "--account", "anna")
        _ = try world.row("new", "asset", "add", "stock:S", "2")
        _ = try world.row("new", "sync")
      }),
  ]

  private func world(_ question: Question) throws -> World {
    let world = try World()
    try world.createAccount()
    for store in ["phone", "tablet"] {
      _ = try world.row(store, "init", "--server", world.url, "--account", "anna")
    }
    try world.phone("crypto:bitcoin", "1")
    _ = try world.row("phone", "sync")
    _ = try world.row("tablet", "sync")
    try question.arrange(world)
    return world
  }

  private func held(_ world: borrowing World) throws -> [String?] {
    try world.rows("phone", "asset", "list").map { $0.text("amount") }
  }

  private static let prompt = "anything else for none:"

  @Test("is told it by a key, and goes on", arguments: questions)
  func answered(_ question: Question) throws {
    for (number, held) in question.held.enumerated() {
      let world = try world(question)
      let run = try world.sync(typing: TypedKeys("\(number + 1)\n", after: Self.prompt))
      #expect(run.status == 0, "\(run.screen)")
      #expect(run.screen.contains(question.text))
      for (place, answer) in question.answers.enumerated() {
        #expect(run.screen.contains("\(place + 1)  \(answer)"), "\(run.screen)")
      }
      #expect(run.output.contains("sent"), "what came of it is said: \(run.output)")
      #expect(try self.held(world) == held)
      let status = try world.row("phone", "status")
      #expect(status.list("decisions").isEmpty)
      #expect(try world.row("phone", "verify").flag("ok") == true)
    }
  }

  /// No answer, a number that is none of those offered, the end of the input.
  @Test(
    "is told nothing, says what could be said, and changes nothing", arguments: questions,
    ["\n", "0\n", "3\n", "-1\n", "yes\n", "\u{4}"])
  func notAnswered(_ question: Question, keys: String) throws {
    let world = try world(question)
    let before = try world.rows("phone", "asset", "list", "--all")
    let run = try world.sync(typing: TypedKeys(keys, after: Self.prompt))
    try expectLeft(question, run.status, run.screen, world)
    #expect(run.output.isEmpty)
    #expect(try world.rows("phone", "asset", "list", "--all") == before)
  }

  /// Interrupted at the question: the same, but that nobody is left to be told.
  @Test("is interrupted", arguments: questions)
  func interrupted(_ question: Question) throws {
    let world = try world(question)
    let run = try world.sync(typing: TypedKeys("\u{3}", after: Self.prompt))
    #expect(run.status == 128 + 2, "\(run.screen)")
    let status = try world.row("phone", "status")
    #expect(status.list("decisions").compactMap { $0.text("code") } == [question.code])
    #expect(try world.row("phone", "verify").flag("ok") == true)
  }

  @Test("asks nobody where there is no terminal, or none is wanted", arguments: questions)
  func noTerminal(_ question: Question) throws {
    let world = try world(question)
    // An answer in a pipe is none: nobody has read the question.
    let piped = try world.folio("phone", "sync", input: "1\n")
    try expectLeft(question, piped.status, piped.errors, world)
    #expect(!piped.errors.contains(Self.prompt) && piped.output.isEmpty)
    for option in ["--json", "--quiet"] {
      let run = try world.sync(option)
      #expect(run.status == 75, "\(run.screen)")
      #expect(!run.screen.contains(Self.prompt))
    }
  }

  private func expectLeft(
    _ question: Question, _ status: Int32, _ told: String, _ world: borrowing World
  ) throws {
    #expect(status == 75, "\(told)")
    #expect(told.contains("error: ") && told.contains("hint: "), "\(told)")
    let hint = told.split(separator: "hint: ").last ?? ""
    for answer in question.answers { #expect(hint.contains(answer), "\(told)") }
    let decisions = try world.row("phone", "status").list("decisions")
    #expect(decisions.compactMap { $0.text("code") } == [question.code])
  }
}

extension World {
  /// Syncs the phone at a terminal.
  fileprivate func sync(_ options: String..., typing: TypedKeys...) throws -> TerminalRun {
    try Self.client.runOnTerminal(
      ["--store", path("phone"), "sync"] + options,
      environment: ["FOLIO_CLOCK": clock, "FOLIO_STORE": nil, "TZ": nil], typing: typing)
  }
}
