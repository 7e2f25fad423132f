extension Program {
  /// The script of zsh: a function of its completion system, to be found in `fpath` or to be sourced.
  var zshScript: String {
    let function = completionFunction
    let choices = choicesByOption.map { name, choices in
      "      \(name)) values=(\(choices.joined(separator: " "))) ;;\n"
    }
    let cases = completionPlaces.map { place in
      let commands = place.commands.map { described($0.name, $0.summary) }
      let options = place.options.map { described("--" + $0.name, $0.summary) }
      return "      '\(place.text)') commands=(\(commands.joined(separator: " "))); "
        + "options=(\(options.joined(separator: " "))) ;;\n"
    }
    let everywhere = options.map { described("--" + $0.name, $0.summary) }
    return """
      #compdef \(name)
      \(function)() {
        local place='' word skip=0
        local -a commands options values
        for word in "${(@)words[2,CURRENT-1]}"; do
          if (( skip )); then skip=0; continue; fi
          case $word in
            \(valueOptionNames.joined(separator: "|"))) skip=1 ;;
            -*) ;;
            *) place="$place $word" ;;
          esac
        done
        if (( skip )); then
          case ${words[CURRENT-1]} in
      \(choices.joined())    esac
          if (( $#values )); then compadd -a values; else _files; fi
          return
        fi
        case ${place# } in
      \(cases.joined())  esac
        options+=(\(everywhere.joined(separator: " ")))
        if [[ ${words[CURRENT]} == -* ]]; then
          _describe option options
        elif (( $#commands )); then
          _describe command commands
        else
          _files
        fi
      }
      if [[ $funcstack[1] == \(function) ]]; then \(function) "$@"; else compdef \(function) \(name); fi

      """
  }

  /// A word with its description, as `_describe` takes it: a colon between, in single quotes.
  private func described(_ word: String, _ summary: String) -> String {
    let text = summary.isEmpty ? word : word + ":" + summary.replacing(":", with: "\\:")
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
