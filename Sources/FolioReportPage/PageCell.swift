import FolioDomain

/// What stands in a cell of a table.
enum PageCell {
  /// What a row is about: what it is called, and what it is called precisely.
  case name(String, detail: String)
  /// Text by which nothing is told apart.
  case text(String)
  /// A moment.
  case time(Slot)
  /// A sum of money; nil is one that is not known.
  case money(Value?)
  /// A sum that was gained, or below 0 lost.
  case change(Value?)
  /// A rate of change; nil is none.
  case rate(Rate?)
  /// How many there are of something.
  case count(Int)
  /// What is held of an asset, in units of 10^-18.
  case amount(Int256)
  /// A part of a whole, with a bar of its length; nil is no part of it.
  case share(Rate?)
  /// Where the price of an asset comes from.
  case price(PriceOrigin)

  /// Where the price that counts comes from.
  enum PriceOrigin {
    case fresh
    case carried(from: Slot)
    case stale(from: Slot)
    case missing
    case notHeld
  }

  /// Whether it is aligned as figures are.
  var isFigure: Bool {
    switch self {
    case .name, .text, .time, .price: false
    default: true
    }
  }

  /// How a gain and a loss are told apart beside their signs.
  var tone: String? {
    let units: Int256? =
      switch self {
      case .change(let value): value?.units
      case .rate(let rate): rate?.units
      default: nil
      }
    guard let units, !units.isZero else { return nil }
    return units.isNegative ? "loss" : "gain"
  }

  /// Appends what is shown, with the exact decimal where it is a figure.
  func add(to page: inout Markup, _ style: CurrencyStyle) {
    switch self {
    case .name(let name, let detail):
      page.name(name)
      if !detail.isEmpty { page.element("small") { $0.name(detail) } }
    case .text(let text): page.name(text)
    case .time(let slot): page.time(slot)
    case .money(let value?): page.data(value.text, value.displayText(in: style))
    case .change(let value?):
      page.data(value.text, Self.plus(value.units) + value.displayText(in: style))
    case .rate(let rate?): page.data(rate.text, Self.plus(rate.units) + rate.percentText)
    case .count(let count): page.text("\(count)")
    case .amount(let units): page.data(units.decimalText, units.decimalText)
    case .share(let rate?):
      page.data(rate.text, rate.percentText)
      Self.addBar(rate, to: &page)
    case .rate(nil): page.none("no rate")
    case .money(nil), .change(nil): page.none("unpriced")
    case .share(nil): page.none("none")
    case .price(let origin): origin.add(to: &page)
    }
  }

  private static func plus(_ units: Int256) -> String {
    units.isNegative || units.isZero ? "" : "+"
  }

  private static func addBar(_ rate: Rate, to page: inout Markup) {
    let width = min(max(Value(units: rate.units).approximate * 100, 0), 100)
    page.element(
      "svg",
      [
        "class": "bar", "viewBox": "0 0 100 8", "preserveAspectRatio": "none",
        "aria-hidden": "true",
      ]
    ) { page in
      page.element("rect", ["class": "track", "width": "100", "height": "8"])
      page.element("rect", ["width": Coordinate.text(width), "height": "8"])
    }
  }
}

extension PageCell.PriceOrigin {
  fileprivate func add(to page: inout Markup) {
    switch self {
    case .fresh: page.text("of the last slot")
    case .carried(let slot): addMark("carried", from: slot, to: &page)
    case .stale(let slot): addMark("stale", from: slot, to: &page)
    case .missing: page.element("span", ["class": "mark unpriced"], text: "unpriced")
    case .notHeld: page.none("not held")
    }
  }

  private func addMark(_ mark: String, from slot: Slot, to page: inout Markup) {
    page.element("span", ["class": "mark " + mark], text: mark)
    page.text(" from ")
    page.time(slot)
  }
}

extension Markup {
  /// Appends a figure: what is shown, and the exact decimal behind it.
  mutating func data(_ exact: String, _ shown: String) {
    element("data", ["value": exact], text: shown)
  }

  /// Appends what is said where there is no figure.
  mutating func none(_ text: String) { element("span", ["class": "none"], text: text) }
}
