import FolioDomain
import FolioJSON
import FolioWire
import Testing

@testable import FolioGateway

@Suite("Vectors of price tables: what a page stands for")
struct TableVectorTests {
  @Test("Tables are made whole, and no page comes to more prices than it may [price-2] [price-7]")
  func tables() throws {
    let vectors = try Published.objects("tables.ndjson")
    #expect(vectors.count >= 9)
    var codes = 0
    for vector in vectors {
      let line = Array((vector.text("line") ?? "").utf8)
      guard case .reply(_, .tables(let page)) = try Message(line: line) else {
        Issue.record("\(vector) is no page of tables")
        continue
      }
      do throws(ProtocolViolation) {
        let tables = try TableUnfolding.tables(of: page)
        #expect(vector.text("code") == nil, "\(vector)")
        if let count = vector.number("count") {
          #expect(tables.reduce(0) { $0 + $1.prices.count } == Int(count), "\(vector)")
        } else {
          #expect(tables.map(\.value) == vector.list("tables"), "\(vector)")
        }
      } catch {
        codes += 1
        #expect(error == .tooManyPrices(limit: 250_000), "\(vector)")
        #expect(vector.text("code") == "too_many_prices", "\(vector)")
      }
    }
    #expect(codes == 1)
  }
}

extension PriceTable {
  /// The table as it stands in vectors.
  fileprivate var value: JSONValue {
    .members([
      "slot": .integer(slot.index),
      "prices": .array(
        prices.map {
          .array([
            .string($0.asset.type.text), .string($0.asset.id.text), .string($0.price.text),
          ])
        }),
    ])
  }
}
