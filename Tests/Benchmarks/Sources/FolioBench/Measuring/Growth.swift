import Foundation

/// What one operation costs at 1, 10 and 100 times the size.
struct Growth: Encodable {
  /// What is done.
  var name: String
  /// Of what the sizes are.
  var unit: String
  var points: [Point] = []

  struct Point: Encodable {
    var size: Int
    /// The nanoseconds of one operation: the median, and the least and greatest of a round.
    var nanoseconds: Double
    var least: Double
    var most: Double
  }

  private enum Member: String, CodingKey {
    case growth, unit, points
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(name, forKey: .growth)
    try members.encode(unit, forKey: .unit)
    try members.encode(points, forKey: .points)
  }

  /// Measures rounds at each size, the sizes alternating.
  ///
  /// - Parameter measure: Does a round at the size of that place, and gives nanoseconds for one
  ///   operation.
  static func measure(
    _ name: String, of unit: String, sizes: [Int], rounds: Int, _ measure: (Int) throws -> Double
  ) rethrows -> Growth {
    var times = sizes.map { _ in [Double]() }
    for round in 0...rounds {
      for place in sizes.indices {
        let time = try measure(place)
        // The first round warms up.
        if round > 0 { times[place].append(time) }
      }
    }
    var growth = Growth(name: name, unit: unit)
    for (size, times) in zip(sizes, times) { growth.add(size, times) }
    return growth
  }

  mutating func add(_ size: Int, _ times: [Double]) {
    points.append(
      Point(
        size: size, nanoseconds: times.median, least: times.spread.lowerBound,
        most: times.spread.upperBound))
  }

  /// How many times as much one operation costs at the greatest size as at the least, which may be
  /// as many times as its logarithm is that of the least.
  var figure: Figure {
    guard let least = points.first, let most = points.last else {
      return Figure(name: "\(name).growth", value: .nan, unit: "times", bar: .atMost(0))
    }
    let costs = points.map { "\($0.size): \(($0.nanoseconds / 1e3).text) us" }
    return Figure(
      name: "\(name).growth, \(most.size) / \(least.size) \(unit)",
      value: most.nanoseconds / least.nanoseconds, unit: "times",
      rounds: nil, bar: .atMost(log(Double(most.size)) / log(Double(least.size))),
      note: costs.joined(separator: ", "))
  }
}
