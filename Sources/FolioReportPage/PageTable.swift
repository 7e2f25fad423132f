import FolioDomain

/// A table of figures that a reader can sort by each of its columns.
struct PageTable {
  /// What it shows, for those who cannot look at it from afar.
  var caption: String
  /// The titles of the columns; the first one says what a row is about.
  var titles: [String]
  /// The rows, in the order shown at first.
  var rows: [[PageCell]]
  /// The column that the rows are sorted by, greatest first; nil where it is the first one, least
  /// first.
  var sortedBy: Int?

  /// Appends the table in a frame that scrolls where the screen is narrow, by keyboard too.
  ///
  /// - Complexity: O(cells x log rows).
  func add(to page: inout Markup, _ style: CurrencyStyle) {
    let orders = titles.indices.map { column in Self.order(rows.map { $0[column] }) }
    page.element(
      "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption]
    ) { page in
      page.element("table", ["class": "sortable"]) { page in
        page.element("caption", text: caption)
        page.element("thead") { $0.element("tr") { addTitles(to: &$0) } }
        page.element("tbody") { page in
          for (number, row) in rows.enumerated() {
            page.markup("\n")
            page.element("tr") { page in
              for (column, cell) in row.enumerated() {
                add(cell, isHead: column == 0, order: orders[column][number], to: &page, style)
              }
            }
          }
        }
      }
    }
    page.markup("\n")
  }

  private func addTitles(to page: inout Markup) {
    for (column, title) in titles.enumerated() {
      let isFigure = rows.first?[column].isFigure ?? false
      let sort =
        column == sortedBy ? "descending" : column == 0 && sortedBy == nil ? "ascending" : nil
      page.element(
        "th", ["scope": "col", "class": isFigure ? "figure" : nil, "aria-sort": sort], text: title)
    }
  }

  private func add(
    _ cell: PageCell, isHead: Bool, order: Int?, to page: inout Markup, _ style: CurrencyStyle
  ) {
    let classes = [cell.isFigure ? "figure" : nil, cell.tone].compactMap { $0 }
    let joined = classes.isEmpty ? nil : classes.joined(separator: " ")
    let rank = order.map { "\($0)" }
    if isHead {
      page.element("th", ["scope": "row", "class": joined, "data-rank": rank]) {
        cell.add(to: &$0, style)
      }
    } else {
      page.element("td", ["class": joined, "data-rank": rank]) { cell.add(to: &$0, style) }
    }
  }

  /// The place of each cell among those of its column; equal ones have the same, and nil is for what
  /// comes last in either direction.
  ///
  /// Found here, where figures are exact, so that the page's script compares small integers.
  private static func order(_ cells: [PageCell]) -> [Int?] {
    if cells.contains(where: { $0.sortUnits != nil }) {
      return ranks(of: cells.map(\.sortUnits)) { $0 < $1 }
    }
    return ranks(of: cells.map(\.sortText)) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func ranks<K>(of keys: [K?], _ precedes: (K, K) -> Bool) -> [Int?] {
    var ranks = [Int?](repeating: nil, count: keys.count)
    let known = keys.enumerated().compactMap { place, key in key.map { (place, $0) } }
      .sorted { precedes($0.1, $1.1) }
    var rank = 0
    for (index, (place, key)) in known.enumerated() {
      if index > 0, precedes(known[index - 1].1, key) { rank += 1 }
      ranks[place] = rank
    }
    return ranks
  }
}

extension PageCell {
  /// What a figure is sorted by.
  fileprivate var sortUnits: Int256? {
    switch self {
    case .money(let value), .change(let value): value?.units
    case .rate(let rate), .share(let rate): rate?.units
    case .amount(let units): units
    case .count(let count): Int256(Int128(count))
    case .time(let slot): Int256(Int128(slot.index))
    case .price(.carried(let slot)), .price(.stale(let slot)): Int256(Int128(slot.index))
    case .price(.fresh): Int256(Int128(Int64.max))
    case .name, .text, .price: nil
    }
  }

  /// What text is sorted by.
  fileprivate var sortText: String? {
    switch self {
    case .name(let name, let detail): name.lowercased() + "\u{0}" + detail
    case .text(let text): text.lowercased()
    default: nil
    }
  }
}
