import TestSupport
import Testing

@Suite("Every example of the README and of the articles is compiled and run")
struct ExampleTests {
  /// What a block of Swift needs above it and no test file repeats.
  private static let header = "import Folio\n\n"

  private static func code(_ block: Example) -> Substring {
    block.text.hasPrefix(header) ? block.text.dropFirst(header.count) : block.text[...]
  }

  @Test("a block of Swift stands word for word in a test file, and a sample in its article")
  func samples() throws {
    let blocks = try Examples.blocks(labelled: "swift")
    let samples = try Examples.samples()
    #expect(blocks.count > 15)
    for block in blocks {
      let isSample = samples.contains {
        $0.articles.contains(Examples.name(of: block.article)) && $0.text == Self.code(block)
      }
      #expect(isSample, "\(block) is no sample of a test")
    }
    for sample in samples {
      for article in sample.articles {
        let isShown = blocks.contains {
          Examples.name(of: $0.article) == article && Self.code($0) == sample.text
        }
        #expect(isShown, "\(sample) does not stand in \(article)")
      }
    }
  }

  @Test("a function that a sample declares is called by the tests of its file")
  func calls() throws {
    for sample in try Examples.samples() {
      for line in sample.text.split(separator: "\n") where line.hasPrefix("func ") {
        let name = line.dropFirst(5).prefix { $0.isLetter || $0.isNumber }
        #expect(sample.rest.contains("\(name)("), "\(sample): nobody calls \(name)")
      }
    }
  }

  @Test("every block says what it is, so that none is passed over")
  func labels() throws {
    for article in try Examples.articles() {
      for block in try Examples.blocks(of: article) {
        #expect(["swift", "console", "make", "text"].contains(block.language), "\(block)")
        #expect(block.language == "console" || !block.text.hasPrefix("$ "), "\(block)")
      }
    }
  }

  @Test("every rule of make that is named is there")
  func rules() throws {
    let blocks = try Examples.blocks(labelled: "make")
    #expect(blocks.count > 2)
    let targets = try Examples.text("Makefile").split(separator: "\n").compactMap { line in
      line.hasPrefix(".") ? nil : line.split(separator: ":").first.map(String.init)
    }
    for block in blocks {
      for line in block.text.split(separator: "\n") {
        let words = line.split(separator: " ")
        #expect(words.first == "make" && words.count > 1, "\(block)")
        #expect(targets.contains(String(words.dropFirst().first ?? "")), "\(block): \(line)")
      }
    }
  }

  static let sessions = Result { try Examples.articles() }

  @Test(
    "commands do what they are shown to do, one after the other",
    arguments: try ExampleTests.sessions.get())
  func commands(_ article: String) throws {
    let blocks = try Examples.blocks(of: article).filter { $0.language == "console" }
    if blocks.isEmpty { return }
    let terminal = try ArticleTerminal(Examples.name(of: article))
    for block in blocks {
      for difference in try terminal.differences(block) { Issue.record("\(difference)") }
    }
  }

  @Test("a session that is not what is shown is noticed")
  func control() throws {
    func block(_ text: String) -> Example {
      Example(article: "none", line: 1, language: "console", text: text)
    }
    let terminal = try ArticleTerminal("none")
    let right = "$ echo one; echo two\none\n...\n$ cat <<E\n> a\n> E\na"
    #expect(try terminal.differences(block(right)).isEmpty)
    for wrong in [
      "$ echo one\ntwo", "$ false", "$ echo one\none\ntwo", "$ echo abc\na...d", "$ nothing-here",
    ] {
      #expect(try terminal.differences(block(wrong)).count == 1, "\(wrong)")
    }
  }
}
