package import FolioDomain
import FolioJSON
package import FolioStore

/// An index as a list that is sorted anew each time.
package enum IndexModel {
  package static let field = FieldPath(FieldName(unchecked: "title"))

  /// The index that random worlds keep.
  package static func index() throws -> DocumentIndex {
    try DocumentIndex("model", on: TestWorld.collection, by: [.field(field), .updatedAt])
  }

  /// Expects that the pages of the index are what the documents are in its order.
  package static func expectSame(
    _ documents: [Document], _ transaction: borrowing StoreReadTransaction
  ) throws {
    let index = try index()
    for (isDescending, includesDeleted) in [(false, true), (true, false)] {
      var query = IndexedQuery(index)
      query.isDescending = isDescending
      query.includesDeleted = includesDeleted
      query.limit = 2
      var listed: [Document] = []
      while true {
        let page = try transaction.documents(query)
        listed += page
        guard let last = page.last else { break }
        query.after = try transaction.cursor(of: last, in: index)
      }
      let sorted = documents.filter { includesDeleted || !$0.isDeleted }.sorted(by: isBefore)
      try expectEqual(listed, isDescending ? sorted.reversed() : sorted, "the index's documents")
    }
  }

  private static func isBefore(_ a: Document, _ b: Document) -> Bool {
    let (x, y) = (a[field], b[field])
    if let order = order(x, y) { return order }
    return a.updatedAt == b.updatedAt ? a.key.id < b.key.id : a.updatedAt < b.updatedAt
  }

  /// Whether `a` stands before `b`; nil where the index does not tell them apart.
  private static func order(_ a: JSONValue?, _ b: JSONValue?) -> Bool? {
    let (x, y) = (kind(a), kind(b))
    if x != y { return x < y }
    switch (a, b) {
    case (.string(let x)?, .string(let y)?):
      return x.utf8.elementsEqual(y.utf8) ? nil : x.utf8.lexicographicallyPrecedes(y.utf8)
    default:
      guard let x = number(a), let y = number(b), x != y else { return nil }
      return x < y
    }
  }

  private static func kind(_ value: JSONValue?) -> Int {
    switch value {
    case nil: 0
    case .null?: 1
    case .bool(false)?: 2
    case .bool(true)?: 3
    case .integer?, .double?: 4
    case .string?: 5
    case .array?, .object?: 6
    }
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number)?: Double(number)
    case .double(let number)?: number
    default: nil
    }
  }
}
