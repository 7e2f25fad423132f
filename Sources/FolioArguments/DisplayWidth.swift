/// How many columns of a terminal text takes.
public enum DisplayWidth {
  /// The columns of `text`: 2 for a wide character, 0 for a mark that joins the one before.
  ///
  /// O(length).
  public static func of(_ text: String) -> Int {
    // What properties of characters tell costs a hundred times as much as looking at a byte.
    TerminalText.isPrintableASCII(text)
      ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The text where it has that many columns at most, else its beginning with an ellipsis.
  ///
  /// O(length).
  public static func cut(_ text: String, to columnCount: Int) -> String {
    guard of(text) > columnCount else { return text }
    guard columnCount > 0 else { return "" }
    var kept = ""
    var count = 1
    for character in text {
      count += columns(of: character)
      if count > columnCount { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text in lines of that many columns at most, broken between words.
  ///
  /// A longer word has a line for itself. Spaces at the text's start are kept on every line.
  ///
  /// O(length).
  public static func wrap(_ text: String, at columnCount: Int) -> String {
    let indent = String(text.prefix { $0 == " " })
    var lines = ""
    var line = indent
    for word in text.split(separator: " ") {
      let isFirst = of(line) == of(indent)
      if !isFirst, of(line) + 1 + of(String(word)) > columnCount {
        lines += line + "\n"
        line = indent + word
      } else {
        line += (isFirst ? "" : " ") + word
      }
    }
    return lines + line + "\n"
  }

  private static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    let isEmoji =
      first.properties.isEmojiPresentation
      || character.unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks of Unicode's East Asian Width that are wide or full-width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}

/// Text of a user's that is shown on a terminal.
public enum TerminalText {
  /// The text with each control character as U+FFFD, so that it cannot steer the terminal.
  public static func plain(_ text: String) -> String {
    guard !isPrintableASCII(text), text.unicodeScalars.contains(where: isControl) else {
      return text
    }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { plain.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
    return String(plain)
  }

  /// Whether each byte is a character of one column.
  static func isPrintableASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }
}
