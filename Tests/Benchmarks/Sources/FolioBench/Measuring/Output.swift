import Foundation

/// Prints a JSON line for each figure as it comes, and all of them as a table at the end.
final class Output {
  private var figures: [Figure] = []
  /// What was found about growth, for the drawing.
  private(set) var growths: [Growth] = []
  private let encoder = JSONEncoder()

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Prints an object of what holds for all figures.
  func head(_ machine: Machine) throws {
    try line(machine)
  }

  /// Prints a figure and keeps it.
  func add(_ figure: Figure) throws {
    figures.append(figure)
    try line(figure)
  }

  /// Prints what an operation costs at several sizes, and the figure that is held to a bar.
  func add(_ growth: Growth) throws {
    growths.append(growth)
    try line(growth)
    try add(growth.figure)
  }

  /// Says what is being done, to whoever watches.
  func note(_ text: String) {
    FileHandle.standardError.write(Data("bench: \(text)\n".utf8))
  }

  /// Whether every bar was reached.
  var allReached: Bool { figures.allSatisfy(\.isReached) }

  private func line(_ value: some Encodable) throws {
    var bytes = try encoder.encode(value)
    bytes.append(0x0A)
    FileHandle.standardOutput.write(bytes)
  }

  /// Prints the table.
  func table(_ machine: Machine) {
    let rows = figures.map(Self.row)
    let head = ["figure", "median", "", "least", "most", "bar", ""]
    let widths = head.indices.map { column in
      ([head] + rows).map { $0[column].count }.max() ?? 0
    }
    print()
    print(machine.text)
    print()
    for row in [head] + rows {
      let cells = zip(row, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        // Numbers stand at the right of their column.
        return [1, 3, 4].contains(index) ? space + cell.0 : cell.0 + space
      }
      print(cells.joined(separator: "  "))
    }
    let missed = figures.filter { !$0.isReached }
    print()
    print(
      missed.isEmpty
        ? "every bar is reached" : "missed: \(missed.map(\.name).joined(separator: ", "))")
  }

  private static func row(_ figure: Figure) -> [String] {
    var bar = ""
    switch figure.bar {
    case .atLeast(let least): bar = "at least \(least.formatted())"
    case .atMost(let most): bar = "at most \(most.formatted())"
    case nil: break
    }
    return [
      figure.name, figure.value.text, figure.unit, figure.spread?.lowerBound.text ?? "",
      figure.spread?.upperBound.text ?? "", bar,
      figure.bar == nil ? "" : figure.isReached ? "reached" : "MISSED",
    ]
  }
}
