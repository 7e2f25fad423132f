import FolioDomain
import Foundation

/// amount x price, added to a sum, for many amounts and prices, and the same by Foundation's Decimal.
///
/// Prices have up to eight digits, amounts up to eleven, as markets and brokers give them. Both sums
/// are exact, and the same.
enum DecimalBenchmark: Benchmark {
  static let name = "decimal"
  static let title = "amount x price, added to a sum / Foundation's Decimal"
  static let bar = "20 times as fast"
  static let size = Size(10_000, "pairs")
  static let rounds = 9
  static let least = 20.0

  static func measure(_ run: Run) throws {
    let work = try Pairs(run.count(size))
    let (ours, peer) = (work.sum(), work.foundationSum())
    try demand(ours.text == "\(peer)", "the sums differ: \(ours.text) and \(peer)")
    let count = Double(work.count)
    let measured = try Rounds.alternating(
      rounds,
      ours: {
        try Stopwatch.processor(20) { try demand(work.sum() == ours, "another sum") } / count
      },
      peer: {
        try Stopwatch.processor(1) {
          try demand(work.foundationSum() == peer, "another sum")
        } / count
      })
    try run.output.add(
      .ratio(
        "decimal / Foundation", measured, atLeast: least, note: "a multiplication, an addition"))
    try run.output.add(.plain("decimal", measured.ours, "ns"))
    try run.output.add(.plain("decimal, Foundation", measured.peer, "ns"))
  }

  private struct Pairs {
    private let pairs: [(amount: Amount, price: Price)]
    private let decimals: [(amount: Decimal, price: Decimal)]
    var count: Int { pairs.count }

    init(_ count: Int) throws {
      var random = Seeded(seed: 88)
      let texts = (0..<count).map { _ in
        (amount: random.decimal(), price: "\(random.int(1...99_999)).\(random.int(0...99))5")
      }
      pairs = try texts.map { (try Amount($0.amount), try Price($0.price)) }
      decimals = texts.map { text in
        (Decimal(string: text.amount) ?? .nan, Decimal(string: text.price) ?? .nan)
      }
    }

    func sum() -> Value {
      var sum = Value.zero
      for pair in pairs { sum += Value(pair.amount, at: pair.price) }
      return sum
    }

    func foundationSum() -> Decimal {
      var sum = Decimal.zero
      for pair in decimals { sum += pair.amount * pair.price }
      return sum
    }
  }
}
