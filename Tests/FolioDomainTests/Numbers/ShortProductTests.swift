import FolioDomain
import TestSupport
import Testing

@Suite("Products of amounts and everyday prices")
struct ShortProductTests {
  @Test("The short way gives what the general one gives, ties and carries included")
  func sameAsGeneral() throws {
    var random = SeededRandom()
    let ten: Int128 = 10
    for _ in 0..<5_000 {
      var units = Int128(random.next() >> UInt64(random.int(0...63)))
      if random.one(in: 2) { units *= Int128(random.next() >> UInt64(random.int(2...63))) }
      // Ties: five at the end, behind as many digits as the price has places.
      if random.one(in: 3) {
        let shift = (0..<random.int(1...9)).reduce(ten) { power, _ in power * ten }
        units = units / (shift * ten) * shift + shift / 2
      }
      if random.one(in: 2) { units = -units }
      guard let amount = Amount(units: units) else { continue }
      let digits = random.int(0...999_999_999_999_999_999) >> random.int(0...60)
      let price = try #require(Price(mantissa: Int64(digits), scale: random.int(0...24)))
      let general = Value(Int256(amount), factors: [price])
      if Value(amount, at: price) != general { Issue.record("\(amount) x \(price)") }
    }
  }

  @Test("The greatest amount at the greatest prices")
  func greatest() throws {
    let amount = try #require(Amount(units: Int128(Amount.limit) - 1))
    for scale in 0...20 {
      let price = try #require(Price(mantissa: 999_999_999_999_999_999, scale: scale))
      #expect(Value(amount, at: price) == Value(Int256(amount), factors: [price]))
    }
  }
}
