import Foundation

/// A drawing of what one operation costs at greater sizes, for each benchmark a line.
///
/// Both axes are logarithmic: what does not grow is level, what grows with the size goes up steeply.
struct Plot {
  private let growths: [Growth]
  private static let width = 940.0
  private static let height = 560.0
  private static let left = 70.0
  private static let right = 620.0
  private static let top = 50.0
  private static let bottom = 500.0
  /// Colours that are told apart by people who see colours differently, too.
  private static let colours = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#a6761d", "#000000", "#7570b3",
    "#e7298a", "#66a61e", "#b22222", "#1b9e77",
  ]

  init(_ growths: [Growth]) {
    self.growths = growths.filter { $0.points.count > 1 }
  }

  /// The drawing, as a file of its own.
  var svg: String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width.text) "
        + "\(Self.height.text)\" font-family=\"sans-serif\" font-size=\"12\">",
      "<title>The cost of one operation as the size grows</title>",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
      text(
        Self.left, 24, "The cost of one operation, in times of that at the least size", size: 15),
    ]
    lines += axes
    for (index, growth) in growths.enumerated() { lines += line(growth, index) }
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The greatest cost that the drawing has room for, as a power of two.
  private var powers: Int {
    let factors = growths.flatMap { growth in
      growth.points.map { $0.nanoseconds / growth.points[0].nanoseconds }
    }
    return max(2, Int(ceil(log2(factors.max() ?? 1))))
  }

  private func x(_ factor: Double) -> Double {
    Self.left + (Self.right - Self.left) * log10(factor) / 2
  }

  private func y(_ factor: Double) -> Double {
    // One power below the start has room, too.
    let share = (log2(factor) + 1) / Double(powers + 1)
    return Self.bottom - (Self.bottom - Self.top) * min(max(share, 0), 1)
  }

  private var axes: [String] {
    var lines: [String] = []
    for power in -1...powers {
      let factor = pow(2, Double(power))
      let place = y(factor)
      lines.append(stroke([(Self.left, place), (Self.right, place)], "#dddddd", 1))
      lines.append(text(Self.left - 8, place + 4, factor.formatted(), anchor: "end"))
    }
    for factor in [1.0, 10, 100] {
      lines.append(stroke([(x(factor), Self.top), (x(factor), Self.bottom)], "#dddddd", 1))
      let label = "\(Int(factor)) \(factor == 1 ? "time" : "times") the size"
      lines.append(text(x(factor), Self.bottom + 20, label, anchor: "middle"))
    }
    let linear = stroke(
      [(x(1), y(1)), (x(min(100, pow(2, Double(powers)))), y(100))], "#bbbbbb", 1)
    lines.append(linear.replacingOccurrences(of: "/>", with: " stroke-dasharray=\"4 4\"/>"))
    lines.append(
      text(Self.left, Self.bottom + 44, "dashed: a cost that grows as the size does"))
    return lines
  }

  private func line(_ growth: Growth, _ index: Int) -> [String] {
    let colour = Self.colours[index % Self.colours.count]
    let first = growth.points[0]
    let places = growth.points.map { point in
      (
        x(Double(point.size) / Double(first.size)), y(point.nanoseconds / first.nanoseconds)
      )
    }
    let row = Self.top + 10 + 34 * Double(index)
    let costs = growth.points.map { time($0.nanoseconds) }.joined(separator: ", ")
    var lines = [stroke(places, colour, 2)]
    lines += places.map {
      "<circle cx=\"\($0.0.text)\" cy=\"\($0.1.text)\" r=\"3\" fill=\"\(colour)\"/>"
    }
    lines.append(stroke([(Self.right + 20, row - 4), (Self.right + 40, row - 4)], colour, 2))
    lines.append(
      text(Self.right + 46, row, "\(growth.name), from \(first.size) \(growth.unit)"))
    lines.append(text(Self.right + 46, row + 14, costs, size: 10, fill: "#666666"))
    return lines
  }

  private func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e3: "\(nanoseconds.text) ns"
    case ..<1e6: "\((nanoseconds / 1e3).text) us"
    case ..<1e9: "\((nanoseconds / 1e6).text) ms"
    default: "\((nanoseconds / 1e9).text) s"
    }
  }

  private func stroke(_ places: [(Double, Double)], _ colour: String, _ width: Int) -> String {
    let points = places.map { "\($0.0.text),\($0.1.text)" }.joined(separator: " ")
    return "<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(colour)\" "
      + "stroke-width=\"\(width)\"/>"
  }

  private func text(
    _ x: Double, _ y: Double, _ text: String, size: Int = 12, anchor: String = "start",
    fill: String = "#222222"
  ) -> String {
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
    return "<text x=\"\(x.text)\" y=\"\(y.text)\" font-size=\"\(size)\" text-anchor=\"\(anchor)\" "
      + "fill=\"\(fill)\">\(escaped)</text>"
  }
}
