internal import FolioSystem

extension Program {
  /// The help of the program, of a group or of a command.
  func help(_ command: Command?, _ path: [String]) -> String {
    var text = "\(command?.summary ?? summary)\n\nusage: \(usage(command, path))\n"
    if let details = command?.details, !details.isEmpty { text += "\n" + wrapped(details) }
    if let arguments = command?.arguments, !arguments.isEmpty {
      text += section("arguments", arguments.map { ($0.name, $0.summary) })
    }
    let below = command?.subcommands ?? allCommands
    if !below.isEmpty { text += section("commands", below.map { ($0.name, $0.summary) }) }
    if let own = command?.options, !own.isEmpty { text += section("options", own.map(row)) }
    text += section("options of every command", options.map(row))
    if command == nil { text += section("environment", variables.map { ($0.name, $0.summary) }) }
    return text
  }

  /// How a command is written.
  func usage(_ command: Command?, _ path: [String]) -> String {
    var words = [name] + path
    guard let command, command.run != nil else {
      return (words + ["COMMAND"]).joined(separator: " ")
    }
    words += command.arguments.map(\.usage)
    words += command.options.map { option in
      let form = "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
      return option.isRequired ? form : "[\(form)]"
    }
    return words.joined(separator: " ")
  }

  func row(_ option: Option) -> (String, String) {
    var name = "--\(option.name)"
    if let value = option.value { name += " \(value)" }
    let choices = option.choices.isEmpty ? "" : " (\(option.choices.joined(separator: ", ")))"
    return (name, option.summary + choices)
  }

  /// Text in lines that the terminal has room for, and that can be read: of 80 columns at most.
  private func wrapped(_ text: String) -> String {
    let width = min(Terminal.width(of: .standardOutput) ?? 80, 80)
    return text.split(separator: "\n").map { DisplayWidth.wrap(String($0), at: width) }.joined()
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { name, summary in
      "  " + name + String(repeating: " ", count: width - name.count + 2) + summary + "\n"
    }
    return "\n\(title):\n" + lines.joined()
  }
}
