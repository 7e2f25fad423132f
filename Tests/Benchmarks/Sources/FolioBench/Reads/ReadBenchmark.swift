import FolioDomain
import FolioStore
import Foundation

/// Assets read with their category and latest price: one by type and id, all of a category, all of a
/// type; and the same from SQLite, by prepared statements over indexes.
///
/// Each call is a read of its own, which sees one state. Both sides give the same fields in their
/// languages' types, texts as strings.
///
/// The store keeps answers while it stays as it is, and SQLite does not; so what is held to the bar is
/// asking for each but once before the next commit, on either side. What asking again takes is told
/// beside it.
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
      for question in Sides.Question.allCases { try report(question, work, run.output) }
      for question in Sides.Question.allCases {
        try run.output.add(
          .measure(
            "read.\(question.rawValue) first, a row", of: "assets", sizes: sizes, rounds: 5
          ) { place in
            try sides[place].timeFirst(question, .ours)
          })
      }
      for side in sides { side.close() }
    }
  }

  private static func report(_ question: Sides.Question, _ work: Sides, _ output: Output) throws {
    let first = try Rounds.alternating(
      rounds, ours: { try work.timeFirst(question, .ours) },
      peer: { try work.timeFirst(question, .sqlite) })
    let again = try Rounds.alternating(
      rounds, ours: { try work.timeAgain(question, .ours) },
      peer: { try work.timeAgain(question, .sqlite) })
    let name = "read.\(question.rawValue)"
    try output.add(.ratio("\(name) / SQLite", first, atLeast: least))
    for (rounds, moment) in [(first, ""), (again, ", asked again")] {
      try output.add(.plain(name + moment, rounds.ours.map { $0 / 1e3 }, "us a row"))
      try output.add(.plain("\(name)\(moment), SQLite", rounds.peer.map { $0 / 1e3 }, "us a row"))
    }
  }
}

/// The same holdings in a store and in a database.
final class Sides {
  enum Question: String, CaseIterable { case asset, category, type }
  enum Side { case ours, sqlite }

  let assetCount: Int
  private let store: Store
  private let database: SQLite
  private let holdings: Holdings
  private let statements: [Question: Statement]
  /// What is asked for, each once.
  private let wantedAssets: [AssetKey]
  private let wantedCategories: [CategoryKey]
  private let wantedTypes: [AssetType]
  private var commits = 0

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
    wantedAssets = Array(holdings.assets.shuffled(using: &random).prefix(1_000))
    wantedCategories = holdings.categories.prefix(50).map(\.key)
    wantedTypes = Set(holdings.assets.map(\.type)).sorted()
  }

  func close() {
    store.close()
    for statement in statements.values { statement.finalize() }
    database.close()
  }

  /// Whether both sides give the same rows.
  func compare() throws {
    for question in Question.allCases {
      for number in 0..<min(count(question), 20) {
        let ours = try found(question, number).map { HeldRow($0) }
        let peer = try foundSQLite(question, number)
        try demand(ours == peer && !ours.isEmpty, "the two sides read other assets")
      }
    }
  }

  /// Processor time for a row, of reads that nothing comes between.
  func timeAgain(_ question: Question, _ side: Side) throws -> Double {
    _ = try askEach(question, side)
    return try time(question, side) {}
  }

  /// Processor time for a row, where a commit comes before each is asked for again.
  func timeFirst(_ question: Question, _ side: Side) throws -> Double {
    try time(question, side) { try commit(side) }
  }

  private func time(
    _ question: Question, _ side: Side, before: () throws -> Void
  ) throws -> Double {
    var (rows, time) = (0, Int64(0))
    while rows < 5_000 {
      try before()
      let begin = Stopwatch.processor()
      rows += try askEach(question, side)
      time += Stopwatch.processor() - begin
    }
    return Double(time) / Double(rows)
  }

  private func commit(_ side: Side) throws {
    commits += 1
    switch side {
    case .ours: try store.write { try $0.setSetting("bench", to: Array("\(commits)".utf8)) }
    case .sqlite: try database.execute("PRAGMA user_version = \(commits)")
    }
  }

  private func askEach(_ question: Question, _ side: Side) throws -> Int {
    var rows = 0
    for number in 0..<count(question) {
      switch side {
      case .ours: rows += try found(question, number).count
      case .sqlite: rows += try foundSQLite(question, number).count
      }
    }
    return rows
  }

  private func count(_ question: Question) -> Int {
    switch question {
    case .asset: wantedAssets.count
    case .category: wantedCategories.count
    case .type: wantedTypes.count
    }
  }

  private func found(_ question: Question, _ number: Int) throws -> [PricedHolding] {
    try store.read { state in
      switch question {
      case .asset: try state.holding(wantedAssets[number]).map { [$0] } ?? []
      case .category: try state.holdings(.category(wantedCategories[number]))
      case .type: try state.holdings(.type(wantedTypes[number]))
      }
    }
  }

  private func foundSQLite(_ question: Question, _ number: Int) throws -> [HeldRow] {
    guard let statement = statements[question] else { return [] }
    switch question {
    case .asset:
      statement.bind(1, wantedAssets[number].type.text)
      statement.bind(2, wantedAssets[number].id.text)
    case .category: statement.bind(1, wantedCategories[number].text)
    case .type: statement.bind(1, wantedTypes[number].text)
    }
    defer { statement.reset() }
    var rows: [HeldRow] = []
    while try statement.step() { rows.append(HeldRow(statement)) }
    return rows
  }
}
