import FolioDomain
import TestSupport
import Testing

@Suite("Sums, products and rates")
struct ExactArithmeticTests {
  @Test("A value is amount x price in full width, rounded once, half to even, at 18 places")
  func products() throws {
    for (amount, price, expected) in NumberVectors.products {
      let exact = try Amount(wire: amount)
      let value = Value(exact, at: try Price(wire: price))
      #expect(value.text == expected, "\(amount) x \(price)")
      #expect(Value(Int256(exact), at: try Price(wire: price)) == value)
      #expect(Value(Int256(exact), factors: [try Price(wire: price)]) == value)
    }
  }

  @Test("A chain of factors is rounded once, and refused where 256 bits do not hold it")
  func chains() throws {
    for (amount, factors, expected) in NumberVectors.chains {
      let value = Value(
        Int256(try Amount(wire: amount)), factors: try factors.map { try Price(wire: $0) })
      #expect(value?.text == expected, "\(amount) x \(factors)")
    }
    #expect(Value(.zero, factors: Array(repeating: .one, count: 10)) == nil)
  }

  @Test("A value divided by a price is rounded once, half to even")
  func quotients() throws {
    for (value, price, expected) in NumberVectors.quotients {
      let exact = try #require(Value(value))
      #expect(exact.divided(by: try Price(wire: price))?.text == expected, "\(value) / \(price)")
    }
    #expect(Value.zero.divided(by: .zero) == nil)
  }

  @Test("A rate is part / whole, rounded once, half to even, at 18 places")
  func rates() throws {
    for (part, whole, expected) in NumberVectors.rates {
      let rate = Rate(try #require(Value(part)), of: try #require(Value(whole)))
      #expect(rate?.text == expected, "\(part) / \(whole)")
    }
  }

  @Test("Where the whole is not above 0 there is no rate")
  func noRate() throws {
    let one = Value(try Amount("1"))
    #expect(Rate(one, of: .zero) == nil)
    #expect(Rate(.zero, of: .zero) == nil)
    #expect(Rate(one, of: -one) == nil)
    #expect(Rate(.zero, of: one)?.text == "0")
  }

  @Test("What a sum of money buys is never worth more than the money")
  func purchases() throws {
    for (money, currency, price, expected) in NumberVectors.purchases {
      let amount = Amount(
        worth: try Amount(wire: money), currencyPrice: try Price(wire: currency),
        at: try Price(wire: price))
      #expect(amount?.text == expected, "\(money) x \(currency) / \(price)")
    }
    #expect(Amount(worth: try Amount("500"), at: .zero) == nil)
    #expect(Amount(worth: try Amount("500"), at: try Price("3"))?.text == "166.666666666666666666")
    #expect(Amount(worth: try Amount("-1"), at: try Price("3"))?.text == "-0.333333333333333333")
  }

  @Test("F43: sums are exact, and a sale of everything leaves nothing")
  func exactSums() throws {
    let steps = ["0.1", "0.2", "11.2", "-11.20", "0.3"].map { try? Amount($0) }
    let sum = steps.compactMap { $0 }.reduce(Int256.zero) { $0 + Int256($1) }
    #expect(sum.decimalText == "0.6")
    #expect((sum - Int256(try Amount("0.6"))).isZero)
    #expect((try Amount("-11.20")).text == "-11.2")
  }

  @Test("A sum of amounts beyond an amount's range stays exact, and is known to be out of range")
  func sumsBeyondRange() throws {
    let most = try Amount("99999999999999999999.999999999999999999")
    var sum = Int256.zero
    for _ in 0..<1_000 { sum += Int256(most) }
    #expect(sum.amount == nil)
    #expect(Value(sum, at: .one) == nil)
    #expect(sum.decimalText == "99999999999999999999999.999999999999999")
    for _ in 0..<999 { sum -= Int256(most) }
    #expect(sum.amount == most)
    #expect(most.adding(most) == nil)
    #expect((-most).subtracting(most) == nil)
    #expect(most.adding(-most) == .zero)
  }

  @Test("256-bit sums behave as integers do")
  func int256Laws() throws {
    var random = SeededRandom()
    func number() -> Int256 {
      let high = Int128(truncatingIfNeeded: UInt128(random.next()) << 64 | UInt128(random.next()))
      return Int256(high: high >> 8, low: UInt128(random.next()) << 64 | UInt128(random.next()))
    }
    for _ in 0..<500 {
      let (a, b, c) = (number(), number(), number())
      #expect(a + b == b + a)
      #expect((a + b) + c == a + (b + c))
      #expect(a - b == -(b - a))
      #expect((a < b) == ((a - b).isNegative))
      #expect(Int256(decimalText: a.decimalText) == a)
    }
    for _ in 0..<500 {
      let (a, b) = (Int128(Int64(bitPattern: random.next())), Int128(random.int(-9...9)))
      #expect((Int256(a) + Int256(b)).int128 == a + b)
      #expect((Int256(a) < Int256(b)) == (a < b))
    }
  }

  @Test("Prices compare by their value, whatever their scale")
  func priceOrder() throws {
    let ascending = ["0", "0.000000000000000000000000000000000001", "0.5", "0.51", "2", "10"]
    let prices = try ascending.map { try Price(wire: $0) }
    #expect(prices.shuffled().sorted() == prices)
    #expect(Price(mantissa: 100, scale: 2) == Price.one)
  }
}
