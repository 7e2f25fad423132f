extension Program {
  /// The completion script of a shell.
  ///
  /// It completes the words of commands, the names of options, the values of those that have a fixed
  /// set, and files elsewhere.
  func completionScript(_ shell: String) throws(Failure) -> String {
    switch shell {
    case "bash": return bashScript
    case "zsh": return zshScript
    case "fish": return fishScript
    default:
      throw .usage(
        "no completions for '\(shell)'", hint: "one of bash, zsh, fish", code: "shellUnknown")
    }
  }

  /// A place in the tree: the words that lead there, and what can follow.
  struct CompletionPlace {
    var path: [String]
    var commands: [(name: String, summary: String)] = []
    var options: [Option] = []
    /// Whether the command takes a file or a folder by position.
    var takesFile = false

    /// How the path is written in a script.
    var text: String { path.joined(separator: " ") }
  }

  /// Every place in the tree.
  var completionPlaces: [CompletionPlace] {
    func below(_ path: [String], _ commands: [Command]) -> [CompletionPlace] {
      let own = CompletionPlace(path: path, commands: commands.map { ($0.name, $0.summary) })
      return [own]
        + commands.flatMap { command in
          let path = path + [command.name]
          guard command.subcommands.isEmpty else { return below(path, command.subcommands) }
          let shells = command.name == Self.completion.name ? ["bash", "zsh", "fish"] : []
          return [
            CompletionPlace(
              path: path, commands: shells.map { ($0, "") }, options: command.options,
              takesFile: command.arguments.contains { ["FILE", "DIR"].contains($0.name) })
          ]
        }
    }
    return below([], allCommands)
  }

  /// The options that take a value, by name; those of one name take one everywhere or nowhere.
  var valueOptionNames: [String] {
    Array(Set(allOptions.filter { $0.value != nil }.map { "--" + $0.name })).sorted()
  }

  /// The values there are, of options that have a fixed set; at a place where two differ, all.
  var choicesByOption: [(name: String, choices: [String])] {
    var choices: [String: [String]] = [:]
    for option in allOptions where !option.choices.isEmpty {
      let known = choices["--" + option.name] ?? []
      choices["--" + option.name] = known + option.choices.filter { !known.contains($0) }
    }
    return choices.sorted { $0.key < $1.key }.map { (name: $0.key, choices: $0.value) }
  }

  /// The name of the shell's function.
  var completionFunction: String {
    "_" + name.split(separator: "-").joined(separator: "_")
  }

  private var bashScript: String {
    let function = completionFunction
    let everywhere = options.map { "--" + $0.name }.joined(separator: " ")
    let choices = choicesByOption.map { name, choices in
      "    \(name)) words='\(choices.joined(separator: " "))' ;;\n"
    }
    let cases = completionPlaces.map { place in
      let words = place.commands.map(\.name) + place.options.map { "--" + $0.name }
      return "      '\(place.text)') words='\(words.joined(separator: " "))' ;;\n"
    }
    return """
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local path='' words='' word skip=0 i
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [ $skip = 1 ]; then skip=0; continue; fi
          case $word in
          \(valueOptionNames.joined(separator: "|"))) skip=1 ;;
          -*) ;;
          *) path="$path $word" ;;
          esac
        done
        if [ $skip = 1 ]; then
          case $previous in
      \(choices.joined())    esac
        else
          case "${path# }" in
      \(cases.joined())    esac
          words="$words \(everywhere)"
        fi
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      }
      complete -o default -F \(function) \(name)

      """
  }
}
