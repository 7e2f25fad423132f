import TestSupport
import Testing

@Suite("The manners of a command line: pipes, colours, widths, completions, manual pages")
struct MannersTests {
  /// Runs a line of shell in which `$FOLIO` is the program on a store of this world.
  private func shell(
    _ world: borrowing World, _ line: String, _ variables: [String: String?] = [:],
    shell: String = "/bin/sh"
  ) throws -> CommandRun {
    var environment = variables
    environment["FOLIO"] = World.client.path
    environment["FOLIO_STORE"] = world.path("phone")
    environment["FOLIO_CLOCK"] = world.clock
    return try BuiltProgram(at: shell).run(["-c", line], environment: environment)
  }

  /// A store with two closed snapshots and a price.
  private func world() throws -> World {
    var world = try World()
    try world.createAccount()
    try world.importPrices([
      "2026-03-01T11:00:00Z,stock,A,10", "2026-03-01T17:00:00Z,stock,A,12.5",
    ])
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "asset", "add", "stock:A", "4", "--category", "日本語の株式")
    _ = try world.row("phone", "sync")
    world.clock = "2026-03-01T20:00:00Z"
    _ = try world.row("phone", "sync")
    return world
  }

  @Test(
    "where nobody reads any more the program ends quietly, by what it found; a full disk is told")
  func closedOutput() throws {
    let world = try world()
    // The reader is gone before anything is written.
    let unread = "(sleep 0.3; $FOLIO COMMAND 2>&3; echo $? >&3) 3>&2 | true"
    func ending(_ command: String) throws -> String {
      try shell(world, unread.replacing("COMMAND", with: command)).errors
    }
    #expect(try ending("asset list") == "0\n")
    #expect(try ending("--json snapshot list") == "0\n")
    #expect(try ending("--help") == "0\n")
    try world.folder.write(Array("asset,amount\nnone,1\n".utf8), to: "bad.csv")
    let refused = try ending("import '\(world.path("bad.csv"))'")
    #expect(refused.hasPrefix("error: 1 of 1 rows") && refused.hasSuffix("65\n"))
    let full = try shell(world, "$FOLIO --json asset list >/dev/full")
    #expect(full.status == 74)
    #expect(try Row(full.errors).text("code") == "outputFailed")
  }

  @Test("colours are for a terminal that wants them", .enabled(if: Self.hasTerminal))
  func colours() throws {
    let world = try world()
    func isColoured(_ line: String, _ variables: [String: String?] = [:]) throws -> Bool {
      let run = try shell(world, "script -qec '\(line)' /dev/null", variables)
      #expect(run.status == 0 && run.output.contains("whole"), "\(run.output)")
      return run.output.contains("\u{1B}[")
    }
    let unset: [String: String?] = ["NO_COLOR": nil]
    #expect(try isColoured("$FOLIO report", unset))
    #expect(try !isColoured("$FOLIO report", ["NO_COLOR": "1"]))
    #expect(try !isColoured("$FOLIO report --no-color", unset))
    #expect(try !isColoured("$FOLIO report | cat", unset))
    #expect(try !shell(world, "$FOLIO report", unset).output.contains("\u{1B}"))
  }

  @Test(
    "long work shows a bar on a terminal, and nothing in a pipe", .enabled(if: Self.hasTerminal))
  func progress() throws {
    let world = try World()
    _ = try world.row("phone", "init")
    let rows = (1...400).map { "stock:S\($0),1" }
    try world.folder.write(
      Array((["asset,amount"] + rows).joined(separator: "\n").utf8), to: "held.csv")
    let line = "$FOLIO import '\(world.path("held.csv"))' --dry-run"
    try world.folder.write(Array(line.utf8), to: "line")
    let shown = try shell(world, "script -qec '. \(world.path("line"))' /dev/null")
    #expect(shown.output.contains("rows ████████████████████ 100 %\r\u{1B}[K"), "\(shown.output)")
    #expect(shown.output.contains("would import 400 holdings"))
    let piped = try shell(world, line)
    #expect(piped.status == 0 && piped.errors.isEmpty && !piped.output.contains("█"))
  }

  /// Whether `script` can lend a command a terminal.
  static let hasTerminal = (try? CommandRun.shell("script -qec true /dev/null").status) == 0

  @Test("tables align and fit a width that is told, whatever the language")
  func widths() throws {
    let world = try world()
    let wide = try shell(world, "$FOLIO report", ["COLUMNS": "200"]).output
    #expect(wide.contains("日本語の株式") && wide.contains("$50.00"))
    let narrow = try shell(world, "$FOLIO report", ["COLUMNS": "30"])
    #expect(narrow.status == 0 && narrow.output.contains("  end          $50.00\n"))
    #expect(wide.contains("▁█"))
  }

  @Test("bash completes commands, options and values")
  func bash() throws {
    let world = try World()
    func complete(_ words: String...) throws -> [String] {
      let line = """
        source <("$FOLIO" completion bash)
        COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
        _folio; printf '%s\\n' "${COMPREPLY[@]}"
        """
      return try shell(world, line, shell: "/bin/bash").lines
    }
    #expect(try complete("folio", "sn") == ["snapshot"])
    #expect(try complete("folio", "--store", "d", "asset", "se") == ["set", "search"])
    #expect(try complete("folio", "report", "--by", "") == ["category", "type", "asset"])
    #expect(try complete("folio", "report", "--ht") == ["--html"])
    #expect(try complete("folio", "completion", "z") == ["zsh"])
    #expect(try complete("folio", "report", "--html", "x").isEmpty)
  }

  @Test("zsh and fish take their scripts, where they are installed")
  func otherShells() throws {
    let world = try World()
    for (program, check) in [
      ("zsh", "autoload -Uz compinit && compinit -u -D && source $0 && whence -w _folio"),
      ("fish", "source $argv[1]; complete -C 'folio snap'"),
    ] {
      let found = try CommandRun.shell("command -v \(program)")
      guard found.status == 0, let path = found.lines.first else { continue }
      let script = try shell(world, "$FOLIO completion \(program)").output
      try world.folder.write(Array(script.utf8), to: program)
      let run = try BuiltProgram(at: path).run(["-c", check, world.path(program)])
      #expect(run.status == 0 && run.errors.isEmpty, "\(program): \(run.errors)")
      #expect(run.output.contains(program == "zsh" ? "function" : "snapshot"), "\(run.output)")
    }
  }

  @Test("each program has a manual page with all its commands, codes and variables")
  func manual() throws {
    let world = try World()
    for program in [World.client, World.server] {
      let page = try program.run(["man"])
      #expect(page.status == 0 && page.errors.isEmpty)
      for word in ["NAME", "SYNOPSIS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FOLIO_CLOCK"] {
        #expect(page.output.contains(word), "\(word)")
      }
      for line in page.lines where line.hasPrefix(".") {
        #expect(["TH", "SH", "SS", "PP", "TP"].contains(line.dropFirst().prefix(2)), "\(line)")
      }
      try world.folder.write(Array(page.output.utf8), to: "page.1")
      let shown = try shell(
        world,
        "command -v groff >/dev/null || exit 0; groff -man -Tutf8 -ww '\(world.path("page.1"))'")
      #expect(shown.errors.isEmpty, "\(shown.errors)")
    }
  }
}
