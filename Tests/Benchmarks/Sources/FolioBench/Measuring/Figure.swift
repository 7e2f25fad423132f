import Foundation

/// A figure that was measured, and the bar it is held to.
struct Figure: Encodable {
  /// What was measured.
  var name: String
  /// The value: the median, where there were rounds.
  var value: Double
  var unit: String
  /// The least and the greatest value of a round.
  var spread: ClosedRange<Double>?
  var rounds: Int?
  /// What it has to be.
  var bar: Bar?
  /// What is to be known of it.
  var note = ""

  enum Bar {
    case atLeast(Double)
    case atMost(Double)

    func holds(_ value: Double) -> Bool {
      switch self {
      case .atLeast(let least): value >= least
      case .atMost(let most): value <= most
      }
    }
  }

  /// Whether the bar is reached; a figure without one cannot miss it.
  var isReached: Bool { bar?.holds(value) ?? true }

  private enum Member: String, CodingKey {
    case name, value, unit, least, most, rounds, atLeast, atMost, reached, note
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(name, forKey: .name)
    try members.encode(value.rounded(digits: 4), forKey: .value)
    try members.encode(unit, forKey: .unit)
    try members.encodeIfPresent(spread?.lowerBound.rounded(digits: 4), forKey: .least)
    try members.encodeIfPresent(spread?.upperBound.rounded(digits: 4), forKey: .most)
    try members.encodeIfPresent(rounds, forKey: .rounds)
    switch bar {
    case .atLeast(let least): try members.encode(least, forKey: .atLeast)
    case .atMost(let most): try members.encode(most, forKey: .atMost)
    case nil: break
    }
    if bar != nil { try members.encode(isReached, forKey: .reached) }
    if !note.isEmpty { try members.encode(note, forKey: .note) }
  }
}

extension Figure {
  /// How many times as fast as its peer, of several rounds.
  static func ratio(_ name: String, _ rounds: Rounds, atLeast bar: Double, note: String = "")
    -> Figure
  {
    Figure(
      name: name, value: rounds.ratios.median, unit: "times", spread: rounds.ratios.spread,
      rounds: rounds.ratios.count, bar: .atLeast(bar), note: note)
  }

  /// A figure of several rounds that is reported and held to nothing.
  static func plain(_ name: String, _ values: [Double], _ unit: String) -> Figure {
    Figure(
      name: name, value: values.median, unit: unit, spread: values.spread, rounds: values.count)
  }
}

extension Double {
  /// Rounded to that many significant digits.
  func rounded(digits: Int) -> Double {
    guard self != 0, isFinite else { return self }
    let power = pow(10, Double(digits) - 1 - (log10(abs(self))).rounded(.down))
    return (self * power).rounded() / power
  }

  /// With four significant digits, and none of them lost from a whole number.
  var text: String {
    let places = self == 0 ? 0 : max(0, 3 - Int(log10(abs(self)).rounded(.down)))
    return String(format: "%.\(places)f", self)
  }
}
