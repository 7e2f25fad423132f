/// A command, or a group of them: what it is called, what it takes and what it does.
public struct Command: Sendable {
  /// The word that names it.
  public var name: String
  /// What it does, in a line.
  public var summary: String
  /// More about it, for its own help.
  public var details: String
  /// What it takes by position.
  public var arguments: [Argument]
  /// What it takes by name.
  public var options: [Option]
  /// The commands of a group.
  public var subcommands: [Command]
  /// What it does; a group without it shows its help.
  public var run: (@Sendable (Invocation) throws -> Void)?

  /// A command that does something.
  public init(
    _ name: String, _ summary: String, details: String = "", arguments: [Argument] = [],
    options: [Option] = [], run: @escaping @Sendable (Invocation) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.arguments = arguments
    self.options = options
    subcommands = []
    self.run = run
  }

  /// A group of commands.
  public init(_ name: String, _ summary: String, details: String = "", _ subcommands: [Command]) {
    self.name = name
    self.summary = summary
    self.details = details
    arguments = []
    options = []
    self.subcommands = subcommands
    run = nil
  }
}

/// What a command takes by position.
public struct Argument: Hashable, Sendable {
  /// What help calls it, in capitals.
  public var name: String
  /// What it is, in a line.
  public var summary: String
  /// Whether it may be left out.
  public var isOptional: Bool
  /// Whether any number of them may be given; a command's last argument alone.
  public var isRepeated: Bool

  /// An argument of that name.
  public init(
    _ name: String, _ summary: String, isOptional: Bool = false, isRepeated: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.isOptional = isOptional
    self.isRepeated = isRepeated
  }

  /// How it is written in a command's usage.
  var usage: String {
    let form = name + (isRepeated ? "..." : "")
    return isOptional ? "[\(form)]" : form
  }
}

/// What a command takes by name, before or after the command itself.
public struct Option: Hashable, Sendable {
  /// The name, without the two hyphens.
  public var name: String
  /// What help calls its value; nil is a flag, which has none.
  public var value: String?
  /// What it does, in a line.
  public var summary: String
  /// The values there are, where only these may be given.
  public var choices: [String]
  /// Whether the command cannot do without it.
  public var isRequired: Bool

  /// A flag of that name.
  public init(_ name: String, _ summary: String) {
    self.name = name
    value = nil
    self.summary = summary
    choices = []
    isRequired = false
  }

  /// An option of that name that takes a value.
  public init(
    _ name: String, _ value: String, _ summary: String, choices: [String] = [],
    isRequired: Bool = false
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.choices = choices
    self.isRequired = isRequired
  }
}

/// What was typed, held against what the command takes.
public struct Invocation: Sendable {
  /// The words of the command.
  public let path: [String]
  let positions: [String: String]
  /// What was given beyond the last argument, where that may be repeated.
  let more: [String]
  let values: [String: String]

  /// What was given for an argument; nil where an optional one was left out.
  public func argument(_ name: String) -> String? { positions[name] }

  /// All that was given for an argument that may be repeated, in order.
  public func arguments(_ name: String) -> [String] {
    positions[name].map { [$0] + more } ?? []
  }

  /// What was given for an argument that the command cannot do without.
  public func required(_ name: String) throws -> String {
    guard let text = positions[name] ?? values[name] else {
      throw Failure.usage(
        "\(path.joined(separator: " ")): \(name) is missing", hint: "see --help",
        code: "argumentMissing")
    }
    return text
  }

  /// What was given for an option; nil where it was not.
  public func option(_ name: String) -> String? { values[name] }

  /// Whether a flag was given.
  public func flag(_ name: String) -> Bool { values[name] != nil }

  /// A whole number given for an option, at least `minimum`.
  public func number(_ name: String, atLeast minimum: Int = 0) throws -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), number >= minimum else {
      throw Failure.usage(
        "--\(name) takes a whole number of at least \(minimum), not '\(text)'", hint: "see --help",
        code: "numberMalformed")
    }
    return number
  }
}
