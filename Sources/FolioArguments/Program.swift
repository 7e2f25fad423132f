/// A command line: a tree of commands, and options that every one of them takes.
public struct Program: Sendable {
  /// What it is called.
  public var name: String
  /// What it is, in a line.
  public var summary: String
  /// Its version.
  public var version: String
  /// Options of every command.
  public var options: [Option]
  /// Its commands.
  public var commands: [Command]
  /// Variables of the environment that it heeds, each with what it says.
  public var variables: [Variable]

  /// A variable of the environment.
  public struct Variable: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What it says, in a line.
    public var summary: String

    /// A variable of that name.
    public init(_ name: String, _ summary: String) {
      self.name = name
      self.summary = summary
    }
  }

  /// A program of those commands; `completion` is among them without being named.
  public init(
    _ name: String, _ summary: String, version: String, options: [Option], commands: [Command],
    variables: [Variable] = []
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.options = options + Self.common
    self.commands = commands
    self.variables = variables + [Variable("NO_COLOR", "Where it is not empty, no colours")]
  }

  private static let common = [
    Option("json", "Answer in JSON, one object a line"),
    Option("quiet", "Say nothing but errors"),
    Option("no-color", "Write without colours; NO_COLOR does the same"),
    Option("version", "Show the version"),
    Option("help", "Show this help"),
  ]

  /// What a command line asks for.
  public enum Request: Sendable {
    /// A command is to run.
    case run(Command, Invocation)
    /// Text is to be shown: help, the version, a completion script.
    case show(String)
  }

  /// Reads a command line, without the program's own name.
  ///
  /// Options may stand before or after the command; `--` ends them; a word like `-0.5` is a number.
  /// - Throws: ``Failure`` with ``ExitCode/usage``, naming what is wrong and what was likely meant.
  public func read(_ words: [String]) throws(Failure) -> Request {
    let typed = try split(words)
    if typed.flag("version") { return .show("\(name) \(version)\n") }
    let (command, path) = command(typed.words)
    let rest = typed.words.dropFirst(path.count)
    if command?.run == nil, let word = rest.first {
      throw unknown(word, after: path, (command?.subcommands ?? allCommands).map(\.name))
    }
    if typed.flag("help") { return .show(help(command, path)) }
    guard let command else {
      throw .usage(
        "no command", hint: "\(name) --help lists the commands", code: "commandMissing")
    }
    guard command.run != nil else {
      let names = command.subcommands.map(\.name).joined(separator: ", ")
      throw .usage(
        "\(path.joined(separator: " ")) takes a command", hint: "one of \(names)",
        code: "commandMissing")
    }
    let invocation = try bind(command, path, Array(rest), typed)
    if path == [Self.completion.name] {
      return .show(try completionScript(invocation.argument("SHELL") ?? ""))
    }
    if path == [Self.manual.name] { return .show(manualPage) }
    return .run(command, invocation)
  }

  /// Whether a command line asks for JSON, as far as that can be told where it is wrong.
  public func wantsJSON(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains("--json")
  }

  static let completion = Command(
    "completion", "Print the completion script of a shell",
    details: """
      It goes where the shell looks for it, or is read at once: source <(folio completion bash), \
      or folio completion fish | source.
      """,
    arguments: [Argument("SHELL", "bash, zsh or fish")], run: { _ in })

  static let manual = Command(
    "man", "Print the manual page: folio man | man -l -",
    details: "Made of the same descriptions as this help; make install puts it into its place.",
    run: { _ in })

  /// Its commands, with those that every program has.
  var allCommands: [Command] { commands + [named(Self.completion), named(Self.manual)] }

  /// A command that every program has, whose texts name this one.
  private func named(_ command: Command) -> Command {
    var command = command
    command.summary = command.summary.replacing("folio ", with: name + " ")
    command.details = command.details.replacing("folio ", with: name + " ")
    return command
  }
}

/// The words of a command line, options apart.
struct TypedWords {
  var words: [String] = []
  var options: [(name: String, value: String)] = []

  func flag(_ name: String) -> Bool { options.contains { $0.name == name } }
}

extension Program {
  /// Every option of the tree; those of one name take a value everywhere or nowhere.
  var allOptions: [Option] {
    func below(_ commands: [Command]) -> [Option] {
      commands.flatMap { $0.options + below($0.subcommands) }
    }
    return options + below(commands)
  }

  /// The command that words begin with, as far as they name one, and its words.
  private func command(_ words: [String]) -> (command: Command?, path: [String]) {
    var found: (command: Command?, path: [String]) = (nil, [])
    for word in words where found.command?.run == nil {
      let candidates = found.command?.subcommands ?? allCommands
      guard let command = candidates.first(where: { $0.name == word }) else { break }
      found = (command, found.path + [word])
    }
    return found
  }

  private func split(_ words: [String]) throws(Failure) -> TypedWords {
    var typed = TypedWords()
    let known = allOptions
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        typed.words += words[index...]
        break
      }
      if word == "-h" {
        typed.options.append(("help", ""))
        continue
      }
      guard word.hasPrefix("--") else {
        guard !word.hasPrefix("-") || word == "-" || isNumber(word) else {
          throw unknownOption(word, after: typed.words)
        }
        typed.words.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts.first ?? "")
      guard let option = known.first(where: { $0.name == name }) else {
        throw unknownOption("--" + name, after: typed.words)
      }
      var value = parts.count > 1 ? String(parts[1]) : nil
      if option.value == nil {
        guard value == nil else {
          throw .usage(
            "--\(name) takes no value", hint: "leave out what follows the =",
            code: "optionValueUnexpected")
        }
      } else if value == nil {
        guard index < words.count else {
          throw .usage(
            "--\(name) takes a value", hint: "--\(name) \(option.value ?? "")",
            code: "optionValueMissing")
        }
        value = words[index]
        index += 1
      }
      typed.options.append((name, value ?? ""))
    }
    return typed
  }

  private func bind(
    _ command: Command, _ path: [String], _ words: [String], _ typed: TypedWords
  ) throws(Failure) -> Invocation {
    let title = path.joined(separator: " ")
    var values: [String: String] = [:]
    for (name, value) in typed.options {
      guard let option = (command.options + options).first(where: { $0.name == name }) else {
        throw .usage(
          "\(title) does not take --\(name)", hint: "\(self.name) \(title) --help",
          code: "optionNotTaken")
      }
      if !option.choices.isEmpty, !option.choices.contains(value) {
        let choices = option.choices.joined(separator: ", ")
        let near = Suggestion.nearest(to: value, among: option.choices)
        throw .usage(
          "--\(name) does not take '\(value)'",
          hint: (near.map { "did you mean '\($0)'? " } ?? "") + "one of \(choices)",
          code: "optionValueUnknown")
      }
      guard values.updateValue(value, forKey: name) == nil || option.value == nil else {
        throw .usage(
          "--\(name) is given twice", hint: "give it once", code: "optionRepeated")
      }
    }
    for option in command.options where option.isRequired && values[option.name] == nil {
      throw .usage(
        "\(title) needs --\(option.name)", hint: "--\(option.name) \(option.value ?? "")",
        code: "optionMissing")
    }
    var positions: [String: String] = [:]
    for (index, argument) in command.arguments.enumerated() {
      guard index < words.count else {
        if argument.isOptional { break }
        throw .usage(
          "\(title) needs \(argument.name)", hint: usage(command, path), code: "argumentMissing")
      }
      positions[argument.name] = words[index]
    }
    let more = words.dropFirst(command.arguments.count)
    if !more.isEmpty, command.arguments.last?.isRepeated != true {
      throw .usage(
        "\(title) does not take '\(words[command.arguments.count])'", hint: usage(command, path),
        code: "argumentUnexpected")
    }
    return Invocation(path: path, positions: positions, more: Array(more), values: values)
  }

  /// Whether a word that begins with a hyphen is a number below 0 and no option.
  private func isNumber(_ word: String) -> Bool {
    let second = word.utf8.dropFirst().first ?? 0
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) || second == UInt8(ascii: ".")
  }

  private func unknown(_ word: String, after path: [String], _ names: [String]) -> Failure {
    let place = ([name] + path).joined(separator: " ")
    let near = Suggestion.nearest(to: word, among: names)
    return .usage(
      "\(place) has no command '\(word)'",
      hint: near.map { "did you mean '\($0)'?" } ?? "\(place) --help lists the commands",
      code: "commandUnknown")
  }

  /// Where the command is told already, what is meant is one of its options.
  private func unknownOption(_ word: String, after words: [String]) -> Failure {
    let (command, path) = command(words)
    let known = command?.run == nil ? allOptions : options + (command?.options ?? [])
    let near = Suggestion.nearest(to: word, among: known.map { "--" + $0.name })
    let place = ([name] + path).joined(separator: " ")
    return .usage(
      "no option '\(word)'", hint: near.map { "did you mean '\($0)'?" } ?? "\(place) --help",
      code: "optionUnknown")
  }
}
