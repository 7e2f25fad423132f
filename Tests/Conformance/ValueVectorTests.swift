import FolioDomain
import FolioJSON
import Testing

@Suite("Vectors of values: decimals and canonical form")
struct ValueVectorTests {
  @Test("Amounts, prices and values of them [dec-1] [value-3] [snap-3]")
  func decimals() throws {
    let vectors = try Published.objects("decimals.ndjson")
    var kinds: Set<String> = []
    for vector in vectors {
      let kind = try #require(vector.text("kind"))
      kinds.insert(kind)
      switch kind {
      case "amount": try checkAmount(vector)
      case "price": try checkPrice(vector)
      default:
        let value = Value(
          try Amount(wire: vector.text("amount") ?? ""),
          at: try Price(wire: vector.text("price") ?? ""))
        #expect(value.text == vector.text("value"), "\(vector.value)")
      }
    }
    #expect(kinds == ["amount", "price", "product"])
    #expect(vectors.count >= 120)
  }

  private func checkAmount(_ vector: JSONObject) throws {
    let text = try #require(vector.text("text"))
    do throws(AmountError) {
      let amount = try Amount(wire: text)
      #expect(vector.text("units") == "\(amount.units)", "\(text)")
      #expect(amount.text == text)
    } catch {
      switch error {
      case .malformed(let offset):
        #expect(vector.text("code") == "malformed", "\(text)")
        #expect(vector.number("offset") == Int64(offset), "\(text)")
      case .notCanonical: #expect(vector.text("code") == "not_canonical", "\(text)")
      case .tooLarge: #expect(vector.text("code") == "too_large", "\(text)")
      case .tooPrecise: #expect(vector.text("code") == "too_precise", "\(text)")
      }
    }
  }

  private func checkPrice(_ vector: JSONObject) throws {
    let text = try #require(vector.text("text"))
    do throws(PriceError) {
      let price = try Price(wire: text)
      #expect(vector.text("code") == nil, "\(text)")
      #expect(price.text == text)
    } catch {
      switch error {
      case .malformed(let offset):
        #expect(vector.text("code") == "malformed", "\(text)")
        #expect(vector.number("offset") == Int64(offset), "\(text)")
      case .notCanonical: #expect(vector.text("code") == "not_canonical", "\(text)")
      case .negative: #expect(vector.text("code") == "negative", "\(text)")
      case .tooManyDigits: #expect(vector.text("code") == "too_many_digits", "\(text)")
      case .tooPrecise: #expect(vector.text("code") == "too_precise", "\(text)")
      }
    }
  }

  @Test("Canonical form [body-1] [body-2] [json-21]")
  func canonical() throws {
    let vectors = try Published.objects("canonical.ndjson")
    #expect(vectors.count >= 13)
    for vector in vectors {
      let value = try JSONValue(parsing: Array((vector.text("text") ?? "").utf8), .rfc8259)
      #expect(try value.text == vector.text("canonical"), "\(vector)")
      let again = try JSONValue(
        parsing: Array((vector.text("canonical") ?? "").utf8), .rfc8259)
      #expect(again == value, "\(vector)")
    }
  }
}
