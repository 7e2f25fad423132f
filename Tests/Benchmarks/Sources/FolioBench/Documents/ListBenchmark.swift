import FolioDomain
import FolioJSON
import FolioStore
import Foundation

/// The first page of a filtered list, from many documents and from few.
///
/// Both stores hold documents of ten types; a page has fifty of one type: the first created, the first
/// by an index that was declared, and the first by title. What is promised is that a page costs what
/// is on it, so that a thousand times the documents cost no more than the logarithm.
enum ListBenchmark: Benchmark {
  static let name = "list"
  static let title = "the first page of a filtered list of many documents / of 1,000"
  static let bar = "the same time, but for the logarithm"
  static let size = Size(100_000, long: 1_000_000, "documents")
  static let few = 1_000
  static let rounds = 9
  static let pagesInRound = 200
  static let least = 0.5

  static func measure(_ run: Run) throws {
    let output = run.output
    let many = run.count(size)
    let root = run.folder + "/list"
    try? FileManager.default.removeItem(atPath: root)
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let small = try Collection(root + "/few", count: few)
    let large = try Collection(root + "/many", count: many)
    defer {
      small.store.close()
      large.store.close()
    }
    for page in Collection.Page.allCases {
      let measured = try Rounds.alternating(
        rounds,
        ours: { try Stopwatch.processor(pagesInRound) { try large.read(page) } },
        peer: { try Stopwatch.processor(pagesInRound) { try small.read(page) } })
      try output.add(
        .ratio(
          "list.\(page.rawValue) of \(many) / of \(few)", measured, atLeast: least,
          note: "a page of \(Collection.limit), of one type in ten"))
      try output.add(
        .plain("list.\(page.rawValue) of \(many)", measured.ours.map { $0 / 1e3 }, "us"))
    }
  }

  private final class Collection {
    enum Page: String, CaseIterable { case created, index, title }

    static let limit = 50
    let store: Store
    private let index: DocumentIndex
    private let rank = FieldPath(FieldName(unchecked: "rank"))

    init(_ folder: String, count: Int) throws {
      var options = StoreOptions(clock: Clock(), random: Random(seed: 9))
      // So many transactions wait that a store in use would have sent most of them.
      options.outbox.countMax = .max
      options.outbox.byteCountMax = .max
      store = try Store.create(at: folder, options)
      index = try DocumentIndex(
        "by-rank", on: .record, by: [.field(RecordRule.type), .field(rank)])
      let index = index
      try store.write { try $0.declare(index) }
      var number = 0
      while number < count {
        try store.write { transaction in
          // Several transactions to a commit: what is measured is reading.
          for _ in 0..<20 where number < count {
            var edits: [Edit] = []
            for _ in 0..<250 where number < count {
              edits.append(.put(try document(number)))
              number += 1
            }
            try transaction.save(edits)
          }
        }
      }
    }

    private func document(_ number: Int) throws -> DocumentPut {
      // In no order of title or rank as they come.
      let mixed = (number &* 2_654_435_761) % 1_000_000_007
      return try DocumentPut(
        collection: .record, document: DocumentID(UInt128(mixed) << 64 | UInt128(number)),
        fields: .object([
          JSONMember("rank", .integer(Int64(mixed % 1_000))),
          JSONMember("title", .string("Title \(mixed)")),
          JSONMember("type", .string("type \(number % 10)")),
        ]))
    }

    func read(_ page: Page) throws {
      let found = try store.read { state in
        if page == .index {
          var query = IndexedQuery(index)
          query.equal = [.string("type 3")]
          query.limit = Self.limit
          return try state.documents(query).count
        }
        var query = DocumentQuery(.record)
        query.type = "type 3"
        query.order = page == .title ? .title : .created
        query.limit = Self.limit
        return try state.documents(query).count
      }
      guard found == Self.limit else { throw Command.Failed(description: "a page is not full") }
    }
  }

  private struct Clock: WallClock {
    func now() -> Timestamp { Timestamp(milliseconds: 1_772_348_400_000) }
  }
}
