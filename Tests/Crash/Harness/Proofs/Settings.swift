/// How a proof is run.
struct Settings {
  /// What everything follows from.
  var seed: UInt64 = 0
  /// How many kills, states, and so on.
  var count = 0
  /// How many steps a script has.
  var steps = 60
  /// Which part of the work this process does, of how many.
  var part = 0
  var parts = 2
  /// What is done wrong on purpose.
  var wrong: Wrong?
  /// The one state to make again.
  var only: Int?

  /// The words that give another process these settings.
  var words: [String] {
    var words = ["--seed", "\(seed)", "--count", "\(count)", "--part", "\(part)"]
    words += ["--parts", "\(parts)", "--steps", "\(steps)"]
    if let wrong { words += ["--wrong", wrong.rawValue] }
    if let only { words += ["--only", "\(only)"] }
    return words
  }

  /// Reads words of that form; the others are returned.
  static func reading(_ words: [String]) throws -> (Settings, others: [String]) {
    var settings = Settings()
    var others: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word != "--long" else {
        others.append(word)
        continue
      }
      guard let value = rest.popFirst() else { throw Finding("\(word) takes a value") }
      switch word {
      case "--seed": settings.seed = try number(word, value)
      case "--count": settings.count = try number(word, value)
      case "--part": settings.part = try number(word, value)
      case "--steps": settings.steps = try number(word, value)
      case "--parts": settings.parts = try number(word, value)
      case "--only": settings.only = try number(word, value)
      case "--wrong":
        guard let wrong = Wrong(rawValue: value) else {
          throw Finding("nothing is done wrong by the name of \(value)")
        }
        settings.wrong = wrong
      default: throw Finding("there is no option \(word)")
      }
    }
    return (settings, others)
  }

  private static func number<N: FixedWidthInteger>(_ option: String, _ text: String) throws -> N {
    guard let number = N(text) else { throw Finding("\(option) takes a number") }
    return number
  }
}
