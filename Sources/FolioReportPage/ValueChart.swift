import FolioDomain

/// The value over time as a line, with marks where something came in or went out.
///
/// Binary floating point is used for places on the page, never for a figure.
struct ValueChart {
  /// The sizes of the drawing, in its own units.
  struct Size {
    var width: Double
    var height: Double
    var labelCountMax: Int

    /// For a screen or a sheet of paper.
    static let wide = Size(width: 960, height: 340, labelCountMax: 8)
    /// For a phone.
    static let narrow = Size(width: 360, height: 260, labelCountMax: 4)
  }

  /// A mark: what came in, or went out, in snapshots that are too near each other to be told apart.
  struct Flow: Equatable {
    /// The first and the last of the snapshots, by place in the series.
    var places: ClosedRange<Int>
    /// The place of the greatest flow among them, where the mark stands.
    var place: Int
    var sum: Value
  }

  let series: [SeriesPoint]
  let size: Size
  let axis: ValueAxis
  private let values: [Double]

  /// Where the drawing's parts begin and end: room for labels on the left and below.
  let left = 52.0
  let top = 14.0
  var right: Double { size.width - 10 }
  var bottom: Double { size.height - 26 }

  init(_ series: [SeriesPoint], _ size: Size) {
    self.series = series
    self.size = size
    values = series.map(\.value.approximate)
    axis = ValueAxis(values.min() ?? 0, values.max() ?? 0)
  }

  func x(_ place: Int) -> Double {
    guard series.count > 1 else { return (left + right) / 2 }
    return left + (right - left) * Double(place) / Double(series.count - 1)
  }

  func y(_ value: Double) -> Double {
    bottom - (bottom - top) * (value - axis.low) / (axis.high - axis.low)
  }

  func y(_ place: Int) -> Double { y(values[place]) }

  /// The places whose points make the line: where they are denser than it can show, the least and
  /// the greatest of each step, so that no peak is lost.
  ///
  /// O(slots).
  var linePlaces: [Int] {
    let steps = Int(right - left)
    guard values.count > 2 * steps else { return Array(values.indices) }
    var places: [Int] = []
    for step in 0..<steps {
      let range = (values.count * step / steps)..<(values.count * (step + 1) / steps)
      guard let least = range.min(by: { values[$0] < values[$1] }),
        let greatest = range.max(by: { values[$0] < values[$1] })
      else { continue }
      places += least == greatest ? [least] : [min(least, greatest), max(least, greatest)]
    }
    if places.last != values.count - 1 { places.append(values.count - 1) }
    return places
  }

  /// Marks that do not cover each other.
  ///
  /// O(slots).
  func flows(_ amount: (SeriesPoint) -> Value) -> [Flow] {
    let room = 12.0
    var flows: [Flow] = []
    for (place, point) in series.enumerated() where !amount(point).isZero {
      let value = amount(point)
      guard let last = flows.last, x(place) - x(last.places.lowerBound) < room else {
        flows.append(Flow(places: place...place, place: place, sum: value))
        continue
      }
      let isGreater = value > amount(series[last.place])
      flows[flows.count - 1] = Flow(
        places: last.places.lowerBound...place, place: isGreater ? place : last.place,
        sum: last.sum + value)
    }
    return flows
  }
}

/// The scale of values: round numbers, and what they are called.
struct ValueAxis {
  /// The least and the greatest number of the scale, which are not equal.
  let low: Double
  let high: Double
  /// The numbers on it, with their texts.
  let marks: [(value: Double, text: String)]

  /// A scale on which two values have room: from 0 on, but where nothing comes near it.
  init(_ least: Double, _ greatest: Double) {
    let isFar = least > 0.6 * greatest && least > 0
    var low = isFar ? least : min(least, 0)
    var high = max(greatest, 0)
    if !(high > low) { (low, high) = high > 0 ? (0, high) : (low, low + 1) }
    var exponent = 0
    var step = 1.0
    while step * 10 < (high - low) / 4 { (step, exponent) = (step * 10, exponent + 1) }
    while step > (high - low) / 4 { (step, exponent) = (step / 10, exponent - 1) }
    let factor = [5.0, 2.0].first { step * $0 <= (high - low) / 4 } ?? 1
    step *= factor
    // A quotient is rounded, too: the scale must not end before its values.
    var first = (low / step).rounded(.down)
    if first * step > low { first -= 1 }
    var last = max((high / step).rounded(.up), first + 1)
    if last * step < high { last += 1 }
    self.low = first * step
    self.high = last * step
    marks = (0...Int(last - first)).map { number in
      let count = first + Double(number)
      return (count * step, Self.text(count * factor, exponent))
    }
  }

  /// A whole number times a power of ten, in few characters: `25k`, `1.5M`, `0.002`.
  static func text(_ count: Double, _ exponent: Int) -> String {
    guard let whole = Int(exactly: count), whole != 0 else { return "0" }
    var digits = String(whole.magnitude)
    var places = -exponent
    while digits.count > 1, digits.hasSuffix("0") {
      digits.removeLast()
      places -= 1
    }
    // The power of the first digit decides on the unit.
    let power = digits.count - places - 1
    let (unit, shift) =
      [("T", 12), ("B", 9), ("M", 6), ("k", 3)].first { power >= $0.1 } ?? ("", 0)
    places += shift
    if places <= 0 { digits += String(repeating: "0", count: -places) }
    if places > 0 {
      digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
    }
    return (whole < 0 ? "-" : "") + digits + unit
  }
}

/// A place in a drawing.
enum Coordinate {
  /// A number with one decimal place at most, which is finer than a screen.
  static func text(_ number: Double) -> String {
    let tenths = (number * 10).rounded()
    guard let whole = Int(exactly: tenths) else { return "0" }
    let rest = whole.magnitude % 10
    let sign = whole < 0 ? "-" : ""
    return sign + "\(whole.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
  }
}

extension Value {
  /// The value in binary floating point, for a place in a drawing and nothing else.
  var approximate: Double {
    let units = magnitude.units
    let magnitude = (Double(units.high) * 0x1p128 + Double(units.low)) / 1e18
    return isNegative ? -magnitude : magnitude
  }
}
