import Folio
import TestSupport
import Testing

// sample RecoveringADevice
func replaceADevice(in folder: String, server: String) async throws -> [String] {
  let phone = try Portfolio.create(at: folder + "/phone")
  try phone.add("0.5", of: "crypto:bitcoin", to: "Savings")
  try phone.add("12.25", of: "stock:AAPL")
  try await phone.sync(server: server, account: "anna")
  phone.close()

  // The phone is lost. A new one reads everything back, verifies it, and only then is there.
  let (new, restored) = try await Portfolio.restore(
    at: folder + "/new", server: server, account: "anna")
  defer { new.close() }
  print("\(restored.transactions) transactions, and \(restored.witness.text)")
  return try new.holdings().map { "\($0.asset): \($0.amount.decimalText)" }
}
// end of sample

// sample RecoveringADevice
func goBack(to backup: String, in folder: String) async throws -> Portfolio {
  let (portfolio, _) = try await Portfolio.restore(at: folder, fromBackup: backup)
  // Which side counts is asked by the first sync, and answered here: what the backup shows.
  try await portfolio.sync(answers: SyncAnswers(keep: .backup))
  return portfolio
}
// end of sample

// sample RecoveringADevice
func checkUp(_ portfolio: Portfolio) async throws -> [String] {
  if try portfolio.verify().isSound { return [] }
  let report = try portfolio.repair()
  if !report.fromServer.isEmpty { try await portfolio.sync() }
  return report.lost
}
// end of sample

@Suite("The samples of Recovering a device")
struct RecoveringADeviceTests {
  @Test("a lost device is replaced")
  func replaced() async throws {
    let world = try World(clock: nil)
    try world.createAccount()
    let held = try await replaceADevice(in: world.folder.path, server: world.url)
    #expect(held == ["crypto:bitcoin: 0.5", "stock:AAPL: 12.25"])
  }

  @Test("back to a backup, everywhere")
  func backup() async throws {
    let world = try World(clock: nil)
    try world.createAccount()
    let phone = try Portfolio.create(at: world.path("phone"))
    try phone.add("4", of: "stock:A")
    try await phone.sync(server: world.url, account: "anna")
    let backup = world.path("monday.backup")
    // sample RecoveringADevice
    try phone.backUp(to: backup)
    // end of sample
    try phone.set("stock:A", to: "1")
    try await phone.sync()
    let restored = try await goBack(to: backup, in: world.path("again"))
    #expect(try restored.holdings().map(\.amount.decimalText) == ["4"])
    try await phone.sync()
    #expect(try phone.holdings().map(\.amount.decimalText) == ["4"])
  }

  @Test("a store that is sound has lost nothing")
  func sound() async throws {
    let world = try World(clock: nil)
    let phone = try Portfolio.create(at: world.path("phone"))
    try phone.add("4", of: "stock:A")
    #expect(try await checkUp(phone).isEmpty)
  }
}
