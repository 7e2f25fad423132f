extension Program {
  /// The manual page, in the man macros of roff, made of the descriptions that help shows.
  ///
  /// It has every command with its arguments and options, the variables of the environment that the
  /// program heeds, and what its exit codes say.
  public var manualPage: String {
    var page = Roff()
    page.macro("TH", name.uppercased(), "1", "", "\(name) \(version)", "")
    page.macro("SH", "NAME")
    page.text("\(name) - \(summary)")
    page.macro("SH", "SYNOPSIS")
    page.text("\(name) [OPTION...] COMMAND [OPTION...] [ARGUMENT...]")
    page.macro("SH", "COMMANDS")
    for command in allCommands { add(command, [command.name], to: &page) }
    page.macro("SH", "OPTIONS")
    page.text("These go with every command, before or after it.")
    for (term, text) in options.map(row) { page.item(term, text) }
    page.macro("SH", "ENVIRONMENT")
    for variable in variables { page.item(variable.name, variable.summary) }
    page.macro("SH", "EXIT STATUS")
    for code in ExitCode.allCases { page.item("\(code.rawValue)", code.summary) }
    return page.source
  }

  private func add(_ command: Command, _ path: [String], to page: inout Roff) {
    guard command.subcommands.isEmpty else {
      for below in command.subcommands { add(below, path + [below.name], to: &page) }
      return
    }
    page.macro("SS", usage(command, path))
    page.text(command.summary + ".")
    if !command.details.isEmpty {
      page.macro("PP")
      page.text(command.details)
    }
    for argument in command.arguments { page.item(argument.name, argument.summary) }
    for (term, text) in command.options.map(row) { page.item(term, text) }
  }
}

/// The source of a manual page.
private struct Roff {
  private(set) var source = ""

  mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { " \"" + escaped($0).replacing("\"", with: "\\(dq") + "\"" }
    source += "." + name + quoted.joined() + "\n"
  }

  /// A paragraph, or its next lines.
  mutating func text(_ text: String) {
    for line in text.split(separator: "\n") {
      // What begins with a point or an apostrophe would be taken for a macro.
      let isMacro = line.hasPrefix(".") || line.hasPrefix("'")
      source += (isMacro ? "\\&" : "") + escaped(String(line)) + "\n"
    }
  }

  /// A term in bold, and what it means.
  mutating func item(_ term: String, _ text: String) {
    source += ".TP\n\\fB" + escaped(term) + "\\fR\n"
    self.text(text)
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
