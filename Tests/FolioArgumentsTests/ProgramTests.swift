import FolioArguments
import Testing

@Suite("Command lines: what is read, and what is refused")
struct ProgramTests {
  private let program = Program(
    "tool", "A tool.", version: "1.2", options: [Option("store", "DIR", "where")],
    commands: [
      Command(
        "asset", "Assets",
        [
          Command(
            "add", "Adds", arguments: [Argument("ASSET", "which"), Argument("AMOUNT", "how much")],
            options: [Option("category", "NAME", "where to")], run: { _ in }),
          Command(
            "list", "Lists", options: [Option("by", "WHAT", "order", choices: ["type", "name"])],
            run: { _ in }),
        ]),
      Command("sync", "Syncs", options: [Option("now", "at once")], run: { _ in }),
      Command(
        "show", "Shows", arguments: [Argument("SLOT", "which", isOptional: true)], run: { _ in }),
      Command(
        "follow", "Follows",
        arguments: [Argument("NAME", "what", isOptional: true, isRepeated: true)], run: { _ in }),
    ])

  private func invocation(_ words: String...) throws -> Invocation {
    guard case .run(_, let invocation) = try program.read(words) else {
      throw Failure.usage("nothing to run", hint: "")
    }
    return invocation
  }

  private func shown(_ words: String...) throws -> String {
    guard case .show(let text) = try program.read(words) else { return "" }
    return text
  }

  private func refusal(_ words: String...) -> Failure? {
    do throws(Failure) {
      _ = try program.read(words)
      return nil
    } catch {
      return error
    }
  }

  @Test("an argument that may be repeated takes all words that are left")
  func repeated() throws {
    #expect(try invocation("follow").arguments("NAME").isEmpty)
    #expect(try invocation("follow", "a").arguments("NAME") == ["a"])
    #expect(try invocation("follow", "a", "--json", "b", "c").arguments("NAME") == ["a", "b", "c"])
    #expect(try shown("follow", "--help").contains("tool follow [NAME...]"))
    #expect(refusal("show", "a", "b")?.code == "argumentUnexpected")
  }

  @Test("options stand before, between and after the words of the command")
  func anywhere() throws {
    for words in [
      ["--store", "d", "asset", "add", "a:b", "1", "--category", "C"],
      ["asset", "--category=C", "add", "a:b", "--store=d", "1"],
      ["asset", "add", "--category", "C", "--store", "d", "--", "a:b", "1"],
    ] {
      guard case .run(_, let found) = try program.read(words) else {
        Issue.record("nothing to run: \(words)")
        continue
      }
      #expect(found.path == ["asset", "add"])
      #expect(found.option("store") == "d" && found.option("category") == "C")
      #expect(found.argument("ASSET") == "a:b" && found.argument("AMOUNT") == "1")
    }
  }

  @Test("a number below 0 is no option")
  func negative() throws {
    #expect(try invocation("asset", "add", "a:b", "-0.5").argument("AMOUNT") == "-0.5")
    #expect(try invocation("asset", "add", "a:b", "-.5").argument("AMOUNT") == "-.5")
    #expect(try invocation("asset", "add", "a:b", "--", "--1").argument("AMOUNT") == "--1")
  }

  @Test("an optional argument may be left out, flags are there or not")
  func optional() throws {
    #expect(try invocation("show").argument("SLOT") == nil)
    #expect(try invocation("show", "now").argument("SLOT") == "now")
    #expect(try invocation("sync", "--now").flag("now"))
    #expect(try !invocation("sync").flag("now"))
  }

  @Test("what is wrong is usage, and says what was likely meant")
  func refused() {
    #expect(refusal("snyc")?.hint == "did you mean 'sync'?")
    #expect(refusal("asset", "lst")?.hint == "did you mean 'list'?")
    #expect(refusal("sync", "--nwo")?.hint == "did you mean '--now'?")
    #expect(refusal("--categry", "C")?.hint == "did you mean '--category'?")
    #expect(refusal("asset", "add", "--categry", "C")?.hint == "did you mean '--category'?")
    // Nor is an option of another command what was meant.
    #expect(refusal("sync", "--categry", "C")?.hint == "tool sync --help")
    #expect(refusal("qqqq")?.hint == "tool --help lists the commands")
    for words in [
      [], ["asset"], ["asset", "add", "a:b"], ["asset", "add", "a:b", "1", "2"],
      ["asset", "list", "--category", "C"], ["asset", "list", "--by", "size"], ["sync", "--now=1"],
      ["asset", "add", "a:b", "1", "--category"], ["sync", "-x"], ["show", "--store"],
      ["--store", "a", "--store", "b", "sync"],
    ] {
      #expect(throws: Failure.self, "\(words)") { try program.read(words) }
    }
    #expect(refusal("asset", "add", "a:b")?.exit == .usage)
    for (words, code) in [
      ([], "commandMissing"), (["asset"], "commandMissing"), (["snyc"], "commandUnknown"),
      (["sync", "--nwo"], "optionUnknown"), (["sync", "--by", "name"], "optionNotTaken"),
      (["sync", "--now=1"], "optionValueUnexpected"), (["sync", "--store"], "optionValueMissing"),
      (["asset", "list", "--by", "nam"], "optionValueUnknown"),
      (["--store", "a", "--store", "b", "sync"], "optionRepeated"),
      (["asset", "add", "a:b"], "argumentMissing"),
      (["asset", "add", "a:b", "1", "2"], "argumentUnexpected"),
    ] as [([String], String)] {
      #expect(throws: Failure.self) { try program.read(words) }
      do { _ = try program.read(words) } catch { #expect(error.code == code, "\(words)") }
    }
    #expect(refusal("asset", "list", "--by", "nam")?.hint.contains("did you mean 'name'?") == true)
  }

  @Test("help on every level, the version, completions")
  func shows() throws {
    #expect(try shown("--version") == "tool 1.2\n")
    #expect(try shown("--help").contains("asset"))
    #expect(try shown("asset", "--help").contains("add"))
    #expect(try shown("asset", "add", "--help").contains("--category NAME"))
    #expect(try shown("asset", "add", "-h").contains("usage: tool asset add ASSET AMOUNT"))
    #expect(try shown("man").hasPrefix(".TH \"TOOL\" \"1\""))
    for shell in ["bash", "zsh", "fish"] {
      #expect(try shown("completion", shell).contains("category"))
    }
    #expect(refusal("completion", "tcsh")?.hint == "one of bash, zsh, fish")
  }

  @Test("columns align whatever the language, and controls do not reach the terminal")
  func table() {
    var table = TextTable([.left("name"), .right("n")])
    table.add(["日本", "1"])
    table.add(["e\u{301}", "22"])
    table.add(["a\u{1B}[1m", "3"])
    #expect(
      table.text(width: nil) == "name    n\n日本    1\ne\u{301}      22\na\u{FFFD}[1m   3\n",
      "\(table.text)")
  }

  @Test("text is broken between words, whatever their width")
  func wrapping() {
    #expect(DisplayWidth.wrap("one two three", at: 80) == "one two three\n")
    #expect(DisplayWidth.wrap("one two three", at: 7) == "one two\nthree\n")
    #expect(DisplayWidth.wrap("  a 日本語 b", at: 8) == "  a\n  日本語\n  b\n")
    #expect(DisplayWidth.wrap("unbreakable x", at: 3) == "unbreakable\nx\n")
    #expect(DisplayWidth.wrap("", at: 3) == "\n")
  }

  @Test("a character of ASCII takes the column that it takes before a mark, and a control none")
  func plainWidth() {
    for value in UInt8(0x20)...0x7E {
      let character = String(Unicode.Scalar(value))
      // With a mark it is looked at as any character is.
      #expect(DisplayWidth.of(character) == DisplayWidth.of(character + "\u{301}"), "\(value)")
      #expect(DisplayWidth.of(character) == 1, "\(value)")
      #expect(TerminalText.plain(character) == character, "\(value)")
    }
    #expect(DisplayWidth.of("plain text") == 10)
    #expect(DisplayWidth.of("a\tb\u{7F}c") == 3)
    #expect(TerminalText.plain("a\tb\u{7F}c") == "a\u{FFFD}b\u{FFFD}c")
  }

  @Test("a table fits the terminal: text is cut, figures never; else a line for each cell")
  func narrowTable() {
    var table = TextTable([.left("name"), .right("value"), .left("group")])
    table.add(["a long name, 日本語 too", "1234567.89", "a group of some length"])
    let wide = table.text(width: 80)
    #expect(wide.contains("a long name, 日本語 too") && wide == table.text(width: nil))
    for width in 30...60 {
      let lines = table.text(width: width).split(separator: "\n").map(String.init)
      #expect(lines.count == 2 && lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(width)")
      #expect(lines[1].contains("1234567.89"))
    }
    #expect(
      table.text(width: 30) == "name           value  group\na long …  1234567.89  a group…\n")
    #expect(
      table.text(width: 29) == """
        a long name, 日本語 too
          value  1234567.89
          group  a group of some length

        """)
  }
}
