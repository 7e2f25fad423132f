import FolioSystem
import TestSupport

/// A block of an article that shows how something is done.
struct Example: CustomStringConvertible {
  /// The article's path within the package.
  let article: String
  /// The line that the block begins in, from 1.
  let line: Int
  /// What the block is labelled with.
  let language: String
  /// What stands between its fences, without the last line's end.
  let text: String

  var description: String { "\(article):\(line)" }
}

/// What stands between two marks of a test file: compiled there, and run by its tests.
///
/// The marks are `// sample NAME, ...` and `// end of sample`; a NAME is an article's, without its
/// ending.
struct Sample: CustomStringConvertible {
  /// The test file's name.
  let file: String
  /// The articles' names, without their endings.
  let articles: [String]
  /// The lines between the marks, less the indentation of the first mark.
  let text: String
  /// All of the file that stands between no marks.
  let rest: String

  var description: String { "a sample of \(articles) in \(file)" }
}

/// The README and the articles of the library's documentation, with all that they show.
enum Examples {
  private static let package =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  private static let catalogue = "Sources/Folio/Folio.docc"
  private static let tests = "Tests/EndToEnd/Articles"

  /// The text of a file of the package.
  static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(package + "/" + path, byteCountMax: 1 << 20), as: UTF8.self)
  }

  private static func names(_ folder: String, ending: String) throws -> [String] {
    try Files.entries(of: package + "/" + folder).filter { $0.hasSuffix(ending) }.sorted()
  }

  /// The README, the articles and the decision records.
  static func articles() throws -> [String] {
    try ["README.md"] + names(catalogue, ending: ".md").map { catalogue + "/" + $0 }
      + names(catalogue + "/Decisions", ending: ".md").map { catalogue + "/Decisions/" + $0 }
  }

  /// An article's name, as samples and fixtures are marked with it.
  static func name(of article: String) -> String {
    String((article.split(separator: "/").last ?? "").prefix { $0 != "." })
  }

  /// The blocks of an article, in their order.
  static func blocks(of article: String) throws -> [Example] {
    var blocks: [Example] = []
    var open: (line: Int, language: String, lines: [Substring])?
    let lines = try text(article).split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if let block = open {
        if line == "```" {
          blocks.append(
            Example(
              article: article, line: block.line, language: block.language,
              text: block.lines.joined(separator: "\n")))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (number + 1, String(line.dropFirst(3)), [])
      }
    }
    return blocks
  }

  /// The blocks of all articles that are labelled so.
  static func blocks(labelled language: String) throws -> [Example] {
    try articles().flatMap { try blocks(of: $0) }.filter { $0.language == language }
  }

  /// The samples of all test files here.
  static func samples() throws -> [Sample] {
    try names(tests, ending: ".swift").flatMap { file in
      var found: [(articles: [String], lines: [Substring])] = []
      var rest: [Substring] = []
      var indentation: Int?
      for line in try text(tests + "/" + file).split(
        separator: "\n", omittingEmptySubsequences: false)
      {
        let words = line.drop { $0 == " " }
        if let width = indentation {
          if words == "// end of sample" {
            indentation = nil
          } else {
            found[found.count - 1].lines.append(line.dropFirst(width))
          }
        } else if words.hasPrefix("// sample ") {
          indentation = line.count - words.count
          found.append((words.dropFirst(10).split(separator: ", ").map(String.init), []))
        } else {
          rest.append(line)
        }
      }
      return found.map {
        Sample(
          file: file, articles: $0.articles, text: $0.lines.joined(separator: "\n"),
          rest: rest.joined(separator: "\n"))
      }
    }
  }
}
