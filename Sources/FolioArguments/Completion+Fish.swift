extension Program {
  /// The script of fish.
  var fishScript: String {
    var lines: [String] = ["complete -c \(name) -f"]
    for place in completionPlaces {
      let condition = condition(place)
      for command in place.commands {
        lines.append(
          "complete -c \(name) -n '\(condition)' -a \(command.name) -d '\(quoted(command.summary))'"
        )
      }
      if place.takesFile { lines.append("complete -c \(name) -n '\(condition)' -F") }
      for option in place.options { lines.append(line(option, condition)) }
    }
    lines += options.map { line($0, nil) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Where a place is: all its words are there, and none of those that could follow.
  private func condition(_ place: CompletionPlace) -> String {
    if place.path.isEmpty { return "__fish_use_subcommand" }
    var parts = place.path.map { "__fish_seen_subcommand_from \($0)" }
    if !place.commands.isEmpty {
      let names = place.commands.map(\.name).joined(separator: " ")
      parts.append("not __fish_seen_subcommand_from \(names)")
    }
    return parts.joined(separator: "; and ")
  }

  private func line(_ option: Option, _ condition: String?) -> String {
    var line = "complete -c \(name)"
    if let condition { line += " -n '\(condition)'" }
    line += " -l \(option.name)"
    if !option.choices.isEmpty {
      line += " -x -a '\(option.choices.joined(separator: " "))'"
    } else if let value = option.value {
      line += ["FILE", "DIR"].contains(value) ? " -r -F" : " -x"
    }
    return line + " -d '\(quoted(option.summary))'"
  }

  /// Text within single quotes of fish.
  private func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
