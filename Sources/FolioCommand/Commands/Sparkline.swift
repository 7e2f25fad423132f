import FolioDomain

/// A course of values as a line of blocks, for a terminal.
struct Sparkline {
  private let values: [Value]

  /// The line of those values, in their order.
  init(_ values: [Value]) { self.values = values }

  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// At most `width` blocks, each as high as the last value of its part of the course; all as low
  /// where nothing changes.
  ///
  /// O(values).
  func text(width: Int) -> String {
    guard let least = values.min(), let greatest = values.max() else { return "" }
    let count = min(max(width, 1), values.count)
    let range = greatest - least
    return String(
      (0..<count).map { part in
        let value = values[values.count * (part + 1) / count - 1]
        guard let share = Rate(value - least, of: range) else { return Self.blocks[0] }
        let limits = (1..<Self.blocks.count).filter { share >= Self.share($0) }
        return Self.blocks[limits.last ?? 0]
      })
  }

  private static func share(_ block: Int) -> Rate {
    Rate(units: Int256(Int128(block) * 1_000_000_000_000_000_000 / Int128(blocks.count)))
  }
}
