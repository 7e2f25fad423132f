/// A line of a file that was not taken, and why.
package struct LineProblem: Hashable, Sendable {
  /// The line's number, from 1.
  package var line: Int
  /// A stable name of the reason.
  package var code: String
  /// The reason, for people.
  package var message: String

  /// Line `line` was not taken because of `code`.
  package init(line: Int, code: String, message: String) {
    self.line = line
    self.code = code
    self.message = message
  }
}

/// The lines of a file that were not taken: all are counted, and the first of them are kept.
package struct LineProblems: Sendable {
  /// How many are kept.
  package static let keptLimit = 1000

  /// The first of them, in the order of the lines.
  package private(set) var kept: [LineProblem] = []
  /// How many there are.
  package private(set) var count = 0

  /// None.
  package init() {}

  /// Whether there is none.
  package var isEmpty: Bool { count == 0 }

  mutating func add(_ line: Int, _ code: String, _ message: String) {
    count += 1
    if kept.count < Self.keptLimit {
      kept.append(LineProblem(line: line, code: code, message: message))
    }
  }
}
