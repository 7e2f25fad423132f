import FolioDomain
import FolioJSON
import FolioStore
import StoreWorld
import Synchronization
import TestSupport
import Testing

@Suite("What is observed")
struct ObservationTests {
  private let bitcoin = TestWorld.assets[0]
  private let notes = CollectionName(unchecked: "note")
  private let tasks = CollectionName(unchecked: "task")

  private func add(_ amount: String) throws -> Edit {
    .add(bitcoin, try Amount(amount), category: nil)
  }

  private func put(_ id: UInt64, in collection: CollectionName, _ text: String) throws -> Edit {
    .put(
      try DocumentPut(
        collection: collection, document: DocumentID(UInt128(id)),
        fields: .object([JSONMember("text", .string(text))])))
  }

  /// The amount held, as it is observed.
  private func amounts(_ fixture: StoreFixture) -> Observation<String?> {
    let asset = bitcoin
    return fixture.store.observe([.assets]) {
      try $0.holding(asset)?.holding.amount.decimalText
    }
  }

  @Test("The present value first, then the newest after a commit, in between coalesced")
  func values() async throws {
    let fixture = try StoreFixture()
    try fixture.save(add("1"))
    var iterator = amounts(fixture).makeAsyncIterator()
    #expect(try await iterator.next() == "1")
    try fixture.save(add("1"))
    #expect(try await iterator.next() == "2")
    for _ in 0..<5 { try fixture.save(try add("1")) }
    #expect(try await iterator.next() == "7")
    // A subscription begins with what is there when it is first asked.
    var late = amounts(fixture).makeAsyncIterator()
    try fixture.save(add("1"))
    #expect(try await late.next() == "8")
    #expect(try await iterator.next() == "8")
  }

  @Test("Waiting, it is woken by a commit, and by nothing that leaves the value as it is")
  func woken() async throws {
    let fixture = try StoreFixture()
    let seen = Seen()
    let asset = bitcoin
    let observation = fixture.store.observe([.assets]) { state in
      seen.countQuery()
      return try state.holding(asset)?.holding.amount.decimalText
    }
    let task = Task {
      for try await value in observation {
        seen.add(value)
        if value == "3" { return }
      }
    }
    func wait(for count: Int) async throws {
      while seen.values.count < count { try await Task.sleep(for: .milliseconds(1)) }
    }
    try await wait(for: 1)
    try fixture.save(put(1, in: notes, "of no concern"))
    try fixture.store.write { try $0.setSetting("zone", to: [1]) }
    try fixture.save(add("1"))
    try await wait(for: 2)
    // The asset is written, and what the query says of it stays.
    let fun = TestWorld.categories[2]
    try fixture.save(.move(bitcoin, to: fun))
    try fixture.save(add("2"))
    try await task.value
    #expect(seen.values == [nil, "1", "3"])
    #expect((3...4).contains(seen.queryCount), "not for the note, nor for the setting")
  }

  @Test("Names: which have changed, since when, collections apart")
  func names() async throws {
    let fixture = try StoreFixture()
    let names: [StoredName] = [.documents(in: notes), .documents(in: tasks), .documents, .flow]
    var iterator = fixture.store.changes(of: names).makeAsyncIterator()
    #expect(try await iterator.next()?.map(\.transaction) == [0, 0, 0, 0])
    try fixture.save(put(1, in: notes, "a"))
    let first = try #require(try await iterator.next())
    #expect(first.map(\.name) == [.documents(in: notes), .documents])
    try fixture.save(put(1, in: tasks, "a"))
    try fixture.store.write { try $0.setUnsavedEdit([1]) }
    let second = try #require(try await iterator.next())
    #expect(second.map(\.name) == [.documents(in: tasks), .documents, .flow])
    #expect(second[0].transaction > first[0].transaction)
    #expect(second[2].transaction > second[0].transaction)
    // What throws, and what is cancelled, has not happened.
    #expect(throws: StoreError.badListCursor) {
      try fixture.store.write { transaction in
        try transaction.setUnsavedEdit([2])
        throw StoreError.badListCursor
      }
    }
    try fixture.store.write { transaction in
      try transaction.setUnsavedEdit([2])
      transaction.cancel()
    }
    try fixture.store.write { try $0.setUnsavedEdit(nil) }
    let third = try #require(try await iterator.next())
    #expect(third.map(\.name) == [.flow])
    #expect(third[0].transaction == second[2].transaction + 1)
    // A log that is forgotten takes its documents with it.
    try fixture.store.write { try $0.forgetLog() }
    #expect(
      try await iterator.next()?.map(\.name) == [
        .documents(in: notes), .documents(in: tasks), .documents,
      ])
  }

  @Test("Every stored name has a text that reads back, and others are refused")
  func texts() throws {
    for name in StoredName.all { #expect(try StoredName(name.text) == name) }
    #expect(Set(StoredName.all.map(\.text)).count == StoredName.all.count)
    #expect(try StoredName("domain.documents/note") == .documents(in: notes))
    for text in ["", "assets", "domain.documents/", "domain.documents/Note", "domain.portfolio"] {
      #expect(throws: StoreError.unknownName(text)) { try StoredName(text) }
    }
  }

  @Test("Cancelled at any moment, it ends and leaves nothing behind", arguments: 0..<40)
  func cancelled(step: Int) async throws {
    let fixture = try StoreFixture()
    let observation = amounts(fixture)
    let task = Task { () -> Int in
      var count = 0
      for try await _ in observation { count += 1 }
      return count
    }
    for _ in 0..<step { await Task.yield() }
    if step.isMultiple(of: 2) { try fixture.save(add("1")) }
    task.cancel()
    #expect((0...2).contains(try await task.value))
    try fixture.save(add("1"))
    var again = observation.makeAsyncIterator()
    #expect(try await again.next() == (step.isMultiple(of: 2) ? "2" : "1"))
  }

  @Test("A store that is closed ends what observes it; what a query throws comes out")
  func closed() async throws {
    let fixture = try StoreFixture()
    let observation = amounts(fixture)
    let task = Task {
      var count = 0
      for try await _ in observation { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(20))
    fixture.store.close()
    #expect((0...1).contains(try await task.value))
    try fixture.reopen()
    var failing = fixture.store.observe([.assets]) { _ -> Int in throw StoreError.badListCursor }
      .makeAsyncIterator()
    await #expect(throws: StoreError.badListCursor) { try await failing.next() }
    await #expect(throws: StoreError.badListCursor) { try await failing.next() }
  }

  @Test("Between the first reading and the waiting no commit is missed", arguments: [1, 4])
  func race(observers: Int) async throws {
    let fixture = try StoreFixture()
    let total = 60
    let observation = amounts(fixture)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<observers {
        group.addTask {
          // Each value of a new subscription is at least as new as the last one seen.
          var last = 0
          while last < total {
            var count = 0
            for try await value in observation {
              let amount = Int(value ?? "0") ?? -1
              #expect(amount > last || (count == 0 && amount >= last))
              last = amount
              count += 1
              if count == 3 || last == total { break }
            }
          }
        }
      }
      let store = fixture.store
      let edit = try add("1")
      group.addTask { for _ in 0..<total { try store.write { _ = try $0.save([edit]) } } }
      try await group.waitForAll()
    }
  }
}

/// What an observer was given, and how often its query ran.
private final class Seen: Sendable {
  private let state = Mutex<(values: [String?], queryCount: Int)>(([], 0))
  var values: [String?] { state.withLock { $0.values } }
  var queryCount: Int { state.withLock { $0.queryCount } }
  func add(_ value: String?) { state.withLock { $0.values.append(value) } }
  func countQuery() { state.withLock { $0.queryCount += 1 } }
}
