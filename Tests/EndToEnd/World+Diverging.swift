import FolioSystem
import TestSupport
import Testing

extension World {
  func run(_ store: String, _ arguments: [String]) throws -> CommandRun {
    try Self.client.run(
      ["--store", path(store)] + arguments,
      environment: ["FOLIO_CLOCK": clock, "FOLIO_STORE": nil, "TZ": nil])
  }

  func shell(_ script: String) throws {
    let run = try CommandRun.shell(script)
    try #require(run.status == 0, "\(script): \(run.errors)")
  }

  func server(_ command: String, _ folder: String) throws {
    let run = try serve(command, folder)
    try #require(run.status == 0, "\(run.errors)")
  }

  func phone(_ asset: String, _ amount: String) throws {
    _ = try row("phone", "asset", "add", asset, amount)
  }

  func tablet(_ asset: String, _ amount: String) throws {
    _ = try row("tablet", "asset", "add", asset, amount)
    _ = try row("tablet", "sync")
  }

  /// Loses the server's folder; the account is made again.
  func emptyServer() throws {
    try shell("rm -r '\(data)'")
    try createAccount()
  }

  func keepServer() throws { try shell("cp -r '\(data)' '\(data) before'") }

  func putServerBack() throws {
    try shell("rm -r '\(data)' && cp -r '\(data) before' '\(data)'")
  }

  /// The phone is backed up, both go on, and it is restored from that.
  func restorePhone() throws {
    _ = try row("phone", "backup", path("phone.backup"))
    try phone("crypto:bitcoin", "4")
    _ = try row("phone", "sync")
    try tablet("stock:S", "2")
    try shell("rm -r '\(path("phone"))'")
    let restored = try row("phone", "restore", "--from", path("phone.backup"))
    #expect(restored.number("transactions") == 1)
    #expect(try folio("phone", "restore", "--from", path("phone.backup")).status == 73)
  }
}
