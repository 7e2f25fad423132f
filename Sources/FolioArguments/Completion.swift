extension Program {
  /// The completion script of a shell.
  ///
  /// It completes the words of commands and the names of options, level by level.
  func completionScript(_ shell: String) throws(Failure) -> String {
    switch shell {
    case "bash": return bashScript
    case "zsh":
      return "#compdef \(name)\nautoload -U +X bashcompinit && bashcompinit\n" + bashScript
    case "fish": return fishScript
    default: throw .usage("no completions for '\(shell)'", hint: "one of bash, zsh, fish")
    }
  }

  /// Every place in the tree: the words that lead there, and what can follow.
  private var places: [(path: [String], words: [(name: String, summary: String)])] {
    func below(_ path: [String], _ commands: [Command]) -> [(
      path: [String], words: [(name: String, summary: String)]
    )] {
      let own = (path: path, words: commands.map { ($0.name, $0.summary) })
      return [own]
        + commands.flatMap { command in
          let path = path + [command.name]
          guard command.subcommands.isEmpty else { return below(path, command.subcommands) }
          return [(path: path, words: command.options.map { ("--" + $0.name, $0.summary) })]
        }
    }
    return below([], commands + [Self.completion])
  }

  private var bashScript: String {
    let function = "_" + name.split(separator: "-").joined(separator: "_")
    let everywhere = options.map { "--" + $0.name }.joined(separator: " ")
    let withValue = allOptions.filter { $0.value != nil }.map { "--" + $0.name }
    let cases = places.map { place in
      let words = place.words.map(\.name).joined(separator: " ")
      return "    '\(place.path.joined(separator: " "))') words='\(words)' ;;\n"
    }
    return """
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} path='' words='' word skip=0 i
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [ $skip = 1 ]; then skip=0; continue; fi
          case $word in
          \(Array(Set(withValue)).sorted().joined(separator: "|"))) skip=1 ;;
          -*) ;;
          *) path="$path $word" ;;
          esac
        done
        case "${path# }" in
      \(cases.joined())  esac
        COMPREPLY=($(compgen -W "$words \(everywhere)" -- "$current"))
      }
      complete -o default -F \(function) \(name)

      """
  }

  private var fishScript: String {
    var lines: [String] = ["complete -c \(name) -f"]
    for place in places {
      let condition =
        place.path.isEmpty
        ? "__fish_use_subcommand"
        : place.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      for word in place.words {
        let form = word.name.hasPrefix("--") ? "-l \(word.name.dropFirst(2))" : "-a \(word.name)"
        lines.append("complete -c \(name) -n '\(condition)' \(form) -d '\(quoted(word.summary))'")
      }
    }
    for option in options {
      lines.append("complete -c \(name) -l \(option.name) -d '\(quoted(option.summary))'")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Text within single quotes of fish.
  private func quoted(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
  }
}
