import Folio
import TestSupport
import Testing

// sample Cookbook
func spend(_ money: String, in currency: String, on asset: String, of portfolio: Portfolio) throws {
  let key = try AssetKey(asset)
  let amount = try portfolio.read {
    try $0.amount(of: key, worth: try Amount(money), in: try AssetKey("forex:\(currency)"))
  }
  try portfolio.save([.add(key, amount, category: nil)])
}
// end of sample

// sample Cookbook
func exchange(_ portfolio: Portfolio) throws -> Int {
  let saved = try portfolio.save([
    .add(try AssetKey("stock:AAPL"), try Amount("-2"), category: nil),
    .add(try AssetKey("metal:XAU"), try Amount("0.15"), category: try Category(named: "Vault")),
  ])
  return saved.operationCount
}
// end of sample

// sample Cookbook
func choose(_ typed: String, in portfolio: Portfolio) throws -> [String] {
  try portfolio.searchAssets(typed).map { "\($0.symbol) \($0.name) (\($0.asset))" }
}
// end of sample

// sample Cookbook
struct Bill: Codable, Hashable, Sendable {
  var type = "bill"
  var title: String
  var metadata: [String: String] = [:]
}

func addBill(_ title: String, due: String, to portfolio: Portfolio) throws -> String {
  let bills = try TypedCollection<Bill>("record")
  do {
    let bill = Bill(title: title, metadata: ["due": due])
    return try portfolio.write { try $0.insert(bill, in: bills) }.text
  } catch RecordError.titleTaken(let id) {
    return "\(id) is called so already"
  }
}
// end of sample

// sample Cookbook
func everyTitle(in portfolio: Portfolio) throws -> [String] {
  var query = DocumentQuery(.record)
  query.order = .title
  var titles: [String] = []
  while true {
    let page = try portfolio.documents(query)
    for record in page {
      if case .string(let title)? = record[RecordRule.title] { titles.append(title) }
    }
    guard page.count == query.limit, let last = page.last else { return titles }
    query.after = DocumentCursor(last, order: query.order)
  }
}
// end of sample

// sample Cookbook
func shown(_ portfolio: Portfolio, in code: String) throws -> String {
  let currency = try AssetKey("forex:\(code)")
  let report = try portfolio.report(options: ReportOptions(currency: currency))
  return report.whole.end.displayText(in: CurrencyStyle(code: code))
}
// end of sample

// sample Cookbook
func copyHoldings(of portfolio: Portfolio, through file: String, to other: Portfolio) throws -> Int
{
  _ = try portfolio.export(to: file, .csv, [.holdings])
  let trial = try other.importFile(at: file, isDryRun: true)
  guard trial.problems.isEmpty, trial.doubtful.isEmpty else { return 0 }
  return try other.importFile(at: file).holdings
}
// end of sample

@Suite("The samples of the Cookbook")
struct CookbookTests {
  @Test("what needs prices: a sum of money, a report in another currency, a search")
  func prices() async throws {
    let world = try World()
    try world.createAccount()
    try world.importPrices([
      "2026-03-01T11:00:00Z,stock,AAPL,10", "2026-03-01T11:00:00Z,forex,EUR,1.25",
    ])
    let row = #"{"type":"stock","id":"AAPL","symbol":"AAPL","name":"Apple","rank":1}"#
    try world.folder.write(Array((row + "\n").utf8), to: "assets.ndjson")
    #expect(try world.serve("assets", "import", world.path("assets.ndjson")).status == 0)
    let portfolio = try Portfolio.create(at: world.path("phone"))
    let server = world.url(at: "2026-03-01T13:00:00Z")
    try await portfolio.sync(server: server, account: "anna")
    try spend("500", in: "EUR", on: "stock:AAPL", of: portfolio)
    #expect(try portfolio.holdings().map(\.amount.decimalText) == ["62.5"])
    #expect(try choose("appl", in: portfolio) == ["AAPL Apple (stock:AAPL)"])
    try await portfolio.sync()
    try await portfolio.sync(server: world.url(at: "2026-03-01T19:00:00Z"), account: "anna")
    #expect(try shown(portfolio, in: "EUR") == "€500.00")
  }

  @Test("one transaction of two edits, records, and a copy through a file")
  func edits() throws {
    let folder = try TemporaryFolder()
    let portfolio = try Portfolio.create(at: folder.path + "/one")
    try portfolio.add("4", of: "stock:AAPL")
    #expect(try exchange(portfolio) == 3)
    #expect(try portfolio.status().outbox.count == 2)
    let id = try addBill("Rent", due: "2026-05-01", to: portfolio)
    #expect(try addBill("RENT", due: "2026-06-01", to: portfolio) == "\(id) is called so already")
    for number in 0..<120 { _ = try addBill("Bill \(number)", due: "", to: portfolio) }
    let titles = try everyTitle(in: portfolio)
    #expect(titles.count == 121 && titles.first == "Bill 0" && titles.last == "Rent")
    let other = try Portfolio.create(at: folder.path + "/two")
    #expect(try copyHoldings(of: portfolio, through: folder.path + "/held.csv", to: other) == 2)
    #expect(try other.holdings().map(\.amount) == portfolio.holdings().map(\.amount))
  }
}
