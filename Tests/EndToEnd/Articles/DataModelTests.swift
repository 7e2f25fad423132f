import Folio
import TestSupport
import Testing

// sample DataModel
func firstSnapshot(of transaction: Timestamp) -> Slot {
  Slot(containing: transaction).advanced(by: 1)
}
// end of sample

// sample DataModel
func bothDirections(_ portfolio: Portfolio) throws -> (stocks: [AssetKey], savings: [AssetKey]) {
  let stocks = try portfolio.holdings(.type(try AssetType(validating: "stock")))
  let savings = try portfolio.holdings(.category(try Category(named: "Savings").key))
  return (stocks.map(\.asset), savings.map(\.asset))
}
// end of sample

// sample DataModel
struct Note: Codable, Hashable, Sendable {
  var text: String
  var colour: String
}

func bothSurvive(_ phone: Portfolio, _ laptop: Portfolio) async throws -> Note? {
  let notes = try TypedCollection<Note>("note")
  let id = try phone.write { try $0.insert(Note(text: "Milk", colour: "red"), in: notes) }
  try await phone.sync()
  try await laptop.sync()

  // Neither has a network now, and each changes another field.
  try phone.write { try $0.update(id, in: notes) { $0.text = "Milk and bread" } }
  try laptop.write { try $0.update(id, in: notes) { $0.colour = "blue" } }
  for device in [phone, laptop, phone] { try await device.sync() }
  return try phone.read { try $0.get(id, in: notes)?.value }
}
// end of sample

// sample DataModel
func gains(_ portfolio: Portfolio) throws -> [String] {
  let report = try portfolio.report()
  return report.categories.map { row in
    "\(row.category): \(row.figures.profit) \(row.figures.rate?.percentText ?? "no rate")"
  }
}
// end of sample

@Suite("The samples of The data model")
struct DataModelTests {
  @Test("a transaction is first in the snapshot after its slot")
  func slots() throws {
    let boundary = try Slot("2026-01-01T06Z").start
    #expect(firstSnapshot(of: boundary).text == "2026-01-01T12Z")
    let before = Timestamp(milliseconds: boundary.milliseconds - 1)
    #expect(firstSnapshot(of: before).text == "2026-01-01T06Z")
  }

  @Test("all of a type, all of a category")
  func directions() throws {
    let folder = try TemporaryFolder()
    let portfolio = try Portfolio.openOrCreate(at: folder.path + "/portfolio")
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
    try portfolio.add("4", of: "stock:AAPL", to: "savings ")
    let found = try bothDirections(portfolio)
    #expect(found.stocks.map(\.text) == ["stock:AAPL"])
    #expect(found.savings.map(\.text) == ["crypto:bitcoin", "stock:AAPL"])
  }

  @Test("two devices' changes of different fields both survive")
  func merging() async throws {
    let world = try World(clock: nil)
    try world.createAccount()
    let phone = try Portfolio.create(at: world.path("phone"))
    let laptop = try Portfolio.create(at: world.path("laptop"))
    for device in [phone, laptop] { try await device.sync(server: world.url, account: "anna") }
    #expect(try await bothSurvive(phone, laptop) == Note(text: "Milk and bread", colour: "blue"))
  }

  @Test("what a report says of each category")
  func report() async throws {
    let world = try World()
    try world.createAccount()
    try world.importPrices([
      "2026-03-01T11:00:00Z,stock,A,10", "2026-03-01T17:00:00Z,stock,A,12.5",
    ])
    let portfolio = try Portfolio.create(at: world.path("phone"))
    try portfolio.add("4", of: "stock:A", to: "Shares")
    for time in ["2026-03-01T07:00:00Z", "2026-03-01T19:00:00Z"] {
      try await portfolio.sync(server: world.url(at: time), account: "anna")
    }
    #expect(try gains(portfolio) == ["Shares: 10 25.00 %"])
  }
}
