/// The report as SQLite gives it, by statements that are compiled once.
final class SQLiteReport {
  private let database: SQLite
  private let passes: [Statement]
  private let ends: Statement
  private let values: Statement
  private let flowsBySlot: Statement
  private let flowsByAsset: Statement
  private let flowsByType: Statement
  private let flowsByCategory: Statement
  private let endsByAsset: Statement
  private let endsByType: Statement
  private let endsByCategory: Statement
  private let present: Statement

  /// What an asset moved from one slot to the next.
  ///
  /// Where nothing is held of it, it is in no category: it comes into, or goes out of, the other one.
  private static let flow = """
    INSERT INTO temp.flow
    SELECT h.slot, h.asset,
      CASE WHEN p.amount = 0 THEN h.category ELSE p.category END,
      CASE WHEN h.amount = 0 THEN p.category ELSE h.category END,
      max(h.amount - p.amount, 0) * h.price, max(p.amount - h.amount, 0) * p.price,
      min(h.amount, p.amount) * h.price
    FROM holding h JOIN holding p ON p.slot = h.slot - 1 AND p.asset = h.asset
    WHERE (h.amount <> p.amount OR h.category <> p.category) AND (h.amount <> 0 OR p.amount <> 0)
    """

  init(_ database: SQLite) throws {
    self.database = database
    try database.execute(
      """
      CREATE TEMP TABLE flow(
        slot INTEGER, asset INTEGER, old INTEGER, new INTEGER, deposit INTEGER,
        withdrawal INTEGER, kept INTEGER)
      """)
    passes = try ["DELETE FROM temp.flow", Self.flow].map(database.prepare)
    ends = try database.prepare("SELECT min(slot), max(slot) FROM holding")
    values = try database.prepare(
      "SELECT slot, sum(amount * price) FROM holding GROUP BY slot ORDER BY slot")
    flowsBySlot = try database.prepare(
      "SELECT slot, sum(deposit), sum(withdrawal) FROM temp.flow GROUP BY slot")
    flowsByAsset = try database.prepare(
      """
      SELECT a.type || ':' || a.code, sum(f.deposit), sum(f.withdrawal)
      FROM temp.flow f JOIN asset a ON a.id = f.asset GROUP BY f.asset
      """)
    flowsByType = try database.prepare(
      """
      SELECT a.type, sum(f.deposit), sum(f.withdrawal)
      FROM temp.flow f JOIN asset a ON a.id = f.asset GROUP BY a.type
      """)
    flowsByCategory = try database.prepare(
      """
      SELECT c.key, sum(f.deposit), sum(f.withdrawal) FROM (
        SELECT new AS category, CASE WHEN old = new THEN deposit ELSE deposit + kept END AS deposit,
          CASE WHEN old = new THEN withdrawal ELSE 0 END AS withdrawal FROM temp.flow
        UNION ALL SELECT old, 0, withdrawal + kept FROM temp.flow WHERE old <> new
      ) f JOIN category c ON c.id = f.category GROUP BY f.category
      """)
    endsByAsset = try database.prepare(Self.worth("a.type || ':' || a.code", "h.asset"))
    endsByType = try database.prepare(Self.worth("a.type", "a.type"))
    endsByCategory = try database.prepare(Self.worth("c.key", "h.category"))
    present = try database.prepare(
      """
      SELECT key FROM category WHERE id IN (
        SELECT category FROM holding WHERE slot = ? AND amount <> 0
        UNION SELECT new FROM temp.flow)
      """)
  }

  private static func worth(_ name: String, _ group: String) -> String {
    """
    SELECT \(name), sum(h.amount * h.price)
    FROM holding h JOIN asset a ON a.id = h.asset JOIN category c ON c.id = h.category
    WHERE h.slot = ? GROUP BY \(group)
    """
  }

  /// All figures, from one state.
  func figures() throws -> PlainReport {
    var report = PlainReport()
    try database.transaction {
      for pass in passes { try pass.run() }
      _ = try ends.step()
      let (first, last) = (ends.integer(0), ends.integer(1))
      ends.reset()
      try readSeries(&report)
      try report.assets = level(flowsByAsset, endsByAsset, first, last)
      try report.types = level(flowsByType, endsByType, first, last)
      let categories = try level(flowsByCategory, endsByCategory, first, last)
      present.bind(1, first)
      while try present.step() {
        report.categories[present.text(0)] = categories[present.text(0)]
      }
      present.reset()
    }
    report.whole.start = report.series.first?[1] ?? 0
    report.whole.end = report.series.last?[1] ?? 0
    for point in report.series {
      report.whole.deposits += point[2]
      report.whole.withdrawals += point[3]
    }
    return report
  }

  private func readSeries(_ report: inout PlainReport) throws {
    while try values.step() { report.series.append([values.integer(0), values.integer(1), 0, 0]) }
    values.reset()
    guard let first = report.series.first?[0] else { return }
    while try flowsBySlot.step() {
      let place = flowsBySlot.integer(0) - first
      report.series[place][2] = flowsBySlot.integer(1)
      report.series[place][3] = flowsBySlot.integer(2)
    }
    flowsBySlot.reset()
  }

  private func level(
    _ flows: Statement, _ ends: Statement, _ first: Int, _ last: Int
  ) throws -> [String: PlainReport.Flows] {
    var level: [String: PlainReport.Flows] = [:]
    for slot in [first, last] {
      ends.bind(1, slot)
      while try ends.step() {
        let name = ends.text(0)
        if slot == first {
          level[name, default: .init()].start = ends.integer(1)
        } else {
          level[name, default: .init()].end = ends.integer(1)
        }
      }
      ends.reset()
    }
    while try flows.step() {
      level[flows.text(0), default: .init()].deposits = flows.integer(1)
      level[flows.text(0), default: .init()].withdrawals = flows.integer(2)
    }
    flows.reset()
    return level
  }
}
