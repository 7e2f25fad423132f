internal import FolioSystem

/// Rows for a person: columns that align, whatever the language.
public struct TextTable: Sendable {
  /// A column: its title, and on which side its cells stand.
  public struct Column: Sendable {
    var title: String
    var isRight = true
    /// Whether a cell says that something grew or shrank, and is coloured so.
    var isChange = false

    /// A column of text.
    public static func left(_ title: String) -> Column { Column(title: title, isRight: false) }
    /// A column of figures.
    public static func right(_ title: String) -> Column { Column(title: title) }
    /// A column of figures that are below 0 where something was lost.
    public static func change(_ title: String) -> Column { Column(title: title, isChange: true) }
  }

  /// What stands at one place, and how many columns of the terminal it takes.
  private struct Cell {
    var text: String
    var width: Int

    init(_ text: String) {
      self.text = text
      width = DisplayWidth.of(text)
    }

    /// The cell in a column of that width.
    func cut(to columnCount: Int) -> Cell {
      width <= columnCount ? self : Cell(DisplayWidth.cut(text, to: columnCount))
    }
  }

  private let columns: [Column]
  private let titles: [Cell]
  private var rows: [[Cell]] = []

  /// An empty table.
  public init(_ columns: [Column]) {
    self.columns = columns
    titles = columns.map { Cell($0.title) }
  }

  /// Adds a row; a control character is shown as U+FFFD.
  public mutating func add(_ cells: [String]) {
    rows.append(cells.map { Cell(TerminalText.plain($0)) })
  }

  /// The table as it fits the terminal; ``text(width:)`` says how.
  public var text: String { text(width: Terminal.width(of: .standardOutput)) }

  /// The table, a line a row, with its titles above.
  ///
  /// Where it is wider than `width`, columns of text are cut, with an ellipsis at the cut; figures
  /// never are. Where that is not enough, each row becomes a few lines, one for each cell.
  /// With colours, titles are bold, and what was gained green and what was lost red.
  /// - Complexity: O(characters).
  public func text(width: Int?, usesColor: Bool = false) -> String {
    var widths = titles.map(\.width)
    for cells in rows {
      for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.width) }
    }
    if let width {
      cut(&widths, to: width)
      if Self.total(widths) > width, !rows.isEmpty { return stackedText }
    }
    return line(titles, widths) { _, title in usesColor ? Color.bold.around(title) : title }
      + rows.map { cells in
        line(cells, widths) { column, cell in
          usesColor && columns[column].isChange ? Color(ofChange: cell)?.around(cell) ?? cell : cell
        }
      }.joined()
  }

  private static let gap = 2

  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap * max(widths.count - 1, 0)
  }

  /// Takes columns of text down until the table has the width, the widest first; at least their
  /// titles and eight columns stay.
  private func cut(_ widths: inout [Int], to width: Int) {
    let least = titles.map { max(8, $0.width) }
    while Self.total(widths) > width {
      let candidates = columns.indices.filter { !columns[$0].isRight && widths[$0] > least[$0] }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
    }
  }

  private func line(
    _ cells: [Cell], _ widths: [Int], _ dressed: (Int, String) -> String
  ) -> String {
    var line = ""
    var byteCount = 0
    for (index, cell) in cells.enumerated() {
      let shown = cell.cut(to: widths[index])
      let padding = String(repeating: " ", count: widths[index] - shown.width)
      line += index > 0 ? String(repeating: " ", count: Self.gap) : ""
      line += columns[index].isRight ? padding : ""
      line += dressed(index, shown.text)
      if !shown.text.isEmpty { byteCount = line.utf8.count }
      line += columns[index].isRight ? "" : padding
    }
    return String(decoding: line.utf8.prefix(byteCount), as: UTF8.self) + "\n"
  }

  /// Each row as its first cell, and below it a line for each other one.
  private var stackedText: String {
    let width = titles.dropFirst().map(\.width).max() ?? 0
    return rows.map { cells in
      var text = (cells.first?.text ?? "") + "\n"
      for (title, cell) in zip(titles, cells).dropFirst() where !cell.text.isEmpty {
        let padding = String(repeating: " ", count: width - title.width + Self.gap)
        text += "  " + title.text + padding + cell.text + "\n"
      }
      return text
    }.joined()
  }
}

/// How text is set off on a terminal.
enum Color: String {
  case bold = "1"
  case green = "32"
  case red = "31"

  /// The colour of a figure that says what was gained or lost; nil where it is nothing.
  init?(ofChange cell: String) {
    guard cell.utf8.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    self = cell.hasPrefix("-") ? .red : .green
  }

  func around(_ text: String) -> String {
    text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}
