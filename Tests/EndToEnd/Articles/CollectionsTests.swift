import Folio
import TestSupport
import Testing

// sample Collections
struct Chore: Codable, Hashable, Sendable {
  var title: String
  var rank: Int
  var isDone = false
}

func mostUrgent(in store: Store) throws -> [Chore] {
  let chores = try TypedCollection<Chore>(
    "chore", indexes: [TypedIndex("open-by-rank", .field("isDone"), .field("rank"))])
  try store.prepare(chores)
  try store.write { transaction in
    try transaction.insert(Chore(title: "Pay the rent", rank: 1), in: chores)
    let id = try transaction.insert(Chore(title: "Water the plants", rank: 2), in: chores)
    try transaction.update(id, in: chores) { $0.rank = 0 }
  }
  var query = try chores.query("open-by-rank")
  query.equal = [.bool(false)]
  let firstPage = query
  return try store.read { try $0.list(firstPage, in: chores).map(\.value) }
}
// end of sample

// sample Collections
struct Task2: Codable, Hashable, Sendable {
  var title: String
  var priority: Int
  var state: String
}

func newShape() throws -> TypedCollection<Task2> {
  try TypedCollection(
    "chore", indexes: [TypedIndex("by-state", .field("state"), .field("priority"))],
    migrations: [
      ShapeMigration { fields in
        fields["priority"] = fields.removeValue(forKey: "rank")
        let wasDone = fields.removeValue(forKey: "isDone") == .bool(true)
        fields["state"] = .string(wasDone ? "done" : "open")
      }
    ])
}
// end of sample

@Suite("The samples of Collections of your own values")
struct CollectionsTests {
  @Test("a collection of values, and its next shape")
  func collections() throws {
    let folder = try TemporaryFolder()
    let portfolio = try Portfolio.create(at: folder.path + "/portfolio")
    #expect(
      try mostUrgent(in: portfolio.store).map(\.title) == ["Water the plants", "Pay the rent"])
    let next = try newShape()
    #expect(try portfolio.store.prepare(next) == 2)
    let query = try next.query("by-state")
    let values = try portfolio.read { try $0.list(query, in: next).map(\.value) }
    #expect(values.first == Task2(title: "Water the plants", priority: 0, state: "open"))
  }
}
