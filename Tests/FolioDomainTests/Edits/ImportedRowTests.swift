import FolioCrypto
import FolioDomain
import FolioJSON
import TestSupport
import Testing

@Suite("The identity of an imported row")
struct ImportedRowTests {
  private func id(_ row: ImportedRow, _ ordinal: Int = 0) -> TransactionID {
    row.transactionID(ordinal: ordinal, using: SHA256.self)
  }

  @Test("equal rows have one identity, an ordinal each; whatever else differs has another")
  func identity() throws {
    let asset = try AssetKey("stock:A")
    let category = try Category(named: "Depot")
    let document = DocumentID(7)
    let notes = try CollectionName(validating: "notes")
    let rows: [ImportedRow] = [
      .holding(asset, try Amount("1.5"), category: category),
      .holding(asset, try Amount("1.5"), category: nil),
      .holding(asset, try Amount("1.5"), category: try Category(named: "depot")),
      .holding(asset, try Amount("15"), category: category),
      .holding(try AssetKey("stock:A1"), try Amount("1.5"), category: category),
      .document(
        try DocumentPut(
          collection: notes, document: document,
          fields: .object([JSONMember("a", .integer(1)), JSONMember("b", .null)]))),
      .document(
        try DocumentPut(
          collection: notes, document: document, fields: .object([JSONMember("a", .integer(1))]))),
      .document(
        try DocumentPut(
          collection: notes, document: document, fields: .object([JSONMember("a", .string("1"))]))),
    ]
    var ids: Set<TransactionID> = []
    for row in rows { for ordinal in 0..<3 { ids.insert(id(row, ordinal)) } }
    #expect(ids.count == rows.count * 3)
    #expect(id(rows[0]) == id(.holding(asset, try Amount("1.50"), category: category)))
    let turned = DocumentPut(
      collection: notes, document: document,
      set: [
        DocumentField(FieldPath(try FieldName(validating: "b")), .null),
        DocumentField(FieldPath(try FieldName(validating: "a")), .integer(1)),
      ])
    #expect(id(rows[5]) == id(.document(turned)))
  }

  @Test("the identity is the same for ever: devices of other versions make it too")
  func stable() throws {
    let row = ImportedRow.holding(
      try AssetKey("stock:A"), try Amount("1.5"), category: try Category(named: "Depot"))
    #expect(String(id(row).value, radix: 16) == "a69662765138206de46f4664e0fd5933")
  }

  @Test("F66 equal rows are counted, each with the place of the first")
  func counter() throws {
    let a = ImportedRow.holding(try AssetKey("stock:A"), try Amount("1"), category: nil)
    let b = ImportedRow.holding(try AssetKey("stock:B"), try Amount("1"), category: nil)
    var counter = ImportedRowCounter()
    let counted = [(a, 2), (b, 3), (a, 4), (a, 9), (b, 11)].map { counter.count($0.0, at: $0.1) }
    #expect(counted.map(\.ordinal) == [0, 0, 1, 2, 1])
    #expect(counted.map(\.first) == [2, 3, 2, 2, 3])
  }
}
