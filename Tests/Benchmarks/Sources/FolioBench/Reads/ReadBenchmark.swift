import FolioDomain
import FolioStore
import Foundation

/// Assets read with their category and latest price: one by type and id, all of a category, all of a
/// type; and the same from SQLite, by prepared statements over indexes.
///
/// Each call is a read of its own, which sees one state. Both sides give the same fields in their
/// languages' types, texts as strings.
///
/// What was read is kept while the store stays as it is, as SQLite keeps its pages; a row is asked for
/// again in each round. What the first read costs after each change is told beside it.
enum ReadBenchmark: Benchmark {
  static let name = "read"
  static let title = "an asset, a category, a type / SQLite, indexed and prepared"
  static let bar = "5 times as fast"
  static let size = Size(10_000, "assets in 100 categories")
  static let rounds = 9
  static let least = 5.0

  static func libraries() -> [String] { [SQLite.version] }

  static func measure(_ run: Run) throws {
    let count = run.count(size)
    let sizes = run.isLong ? [count / 10, count, count * 10] : [count / 100, count / 10, count]
    try run.inFolder("read") { folder in
      let sides = try sizes.map { try Sides("\(folder)/\($0)", assetCount: $0) }
      guard let work = sides.first(where: { $0.assetCount == count }) else { return }
      try work.compare()
      for question in Sides.Question.allCases {
        let measured = try Rounds.alternating(
          rounds, ours: { try work.time(question, { try work.ask($0, $1) }) },
          peer: { try work.time(question, { try work.askSQLite($0, $1) }) })
        let name = "read.\(question.rawValue)"
        try run.output.add(.ratio("\(name) / SQLite", measured, atLeast: least))
        try run.output.add(.plain(name, measured.ours.map { $0 / 1e3 }, "us a row"))
        try run.output.add(.plain("\(name), SQLite", measured.peer.map { $0 / 1e3 }, "us a row"))
        let first = try (0..<5).map { _ in try work.timeFirst(question) }
        try run.output.add(
          .plain("\(name), first after a change", first.map { $0 / 1e3 }, "us a row"))
      }
      for question in Sides.Question.allCases {
        try run.output.add(
          .measure(
            "read.\(question.rawValue) first, a row", of: "assets", sizes: sizes, rounds: 5
          ) { place in
            try sides[place].timeFirst(question)
          })
      }
      for side in sides { side.close() }
    }
  }
}

/// The same holdings in a store and in a database.
final class Sides {
  enum Question: String, CaseIterable { case asset, category, type }

  let assetCount: Int
  private let store: Store
  private let database: SQLite
  private let holdings: Holdings
  private let statements: [Question: Statement]
  private let wanted: [Int]

  init(_ folder: String, assetCount: Int) throws {
    self.assetCount = assetCount
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    holdings = try Holdings(assetCount: assetCount, categoryCount: max(1, assetCount / 100))
    store = try holdings.makeStore(folder + "/store")
    database = try holdings.makeDatabase(folder + "/peer.sqlite")
    statements = [
      .asset: try database.prepare("\(HeldRow.columns) WHERE a.type = ? AND a.code = ?"),
      .category: try database.prepare(
        """
        \(HeldRow.columns)
        WHERE a.category = (SELECT id FROM category WHERE key = ?) ORDER BY a.type, a.code
        """),
      .type: try database.prepare("\(HeldRow.columns) WHERE a.type = ? ORDER BY a.type, a.code"),
    ]
    var random = Seeded(seed: 12)
    wanted = (0..<1_000).map { _ in random.int(0...assetCount - 1) }
  }

  func close() {
    store.close()
    for statement in statements.values { statement.finalize() }
    database.close()
  }

  /// Whether both sides give the same rows.
  func compare() throws {
    for question in Question.allCases {
      for number in 0..<20 {
        let ours = try found(question, number).map { HeldRow($0) }
        let peer = try foundSQLite(question, number)
        try demand(ours == peer && !ours.isEmpty, "the two sides read other assets")
      }
    }
  }

  /// Processor time for a row.
  func time(_ question: Question, _ ask: (Question, Int) throws -> Int) throws -> Double {
    let count = question == .asset ? 1_000 : question == .category ? 50 : 3
    var rows = 0
    let begin = Stopwatch.processor()
    for number in 0..<count { rows += try ask(question, number) }
    return Double(Stopwatch.processor() - begin) / Double(rows)
  }

  /// Processor time for a row of ours, of reads that each come first after a commit.
  func timeFirst(_ question: Question) throws -> Double {
    let count = question == .asset ? 100 : question == .category ? 20 : 3
    var rows = 0
    var time = 0
    for number in 0..<count {
      try store.write { try $0.setSetting("bench", to: Array(String(number).utf8)) }
      let begin = Stopwatch.processor()
      rows += try ask(question, number)
      time += Int(Stopwatch.processor() - begin)
    }
    return Double(time) / Double(rows)
  }

  func ask(_ question: Question, _ number: Int) throws -> Int { try found(question, number).count }

  func askSQLite(_ question: Question, _ number: Int) throws -> Int {
    try foundSQLite(question, number).count
  }

  private func found(_ question: Question, _ number: Int) throws -> [PricedHolding] {
    let asset = holdings.assets[wanted[number]]
    return try store.read { state in
      switch question {
      case .asset: try state.holding(asset).map { [$0] } ?? []
      case .category: try state.holdings(.category(category(number).key))
      case .type: try state.holdings(.type(asset.type))
      }
    }
  }

  private func category(_ number: Int) -> FolioDomain.Category {
    holdings.categories[wanted[number] % holdings.categories.count]
  }

  private func foundSQLite(_ question: Question, _ number: Int) throws -> [HeldRow] {
    guard let statement = statements[question] else { return [] }
    let asset = holdings.assets[wanted[number]]
    switch question {
    case .asset:
      statement.bind(1, asset.type.text)
      statement.bind(2, asset.id.text)
    case .category: statement.bind(1, category(number).key.text)
    case .type: statement.bind(1, asset.type.text)
    }
    defer { statement.reset() }
    var rows: [HeldRow] = []
    while try statement.step() { rows.append(HeldRow(statement)) }
    return rows
  }
}
