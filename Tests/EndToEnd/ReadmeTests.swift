import Folio
import FolioSystem
import TestSupport
import Testing

// What stands between the two marks stands in README.md too, word for word.
// sample
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
  return try new.holdings().map { asset in
    "\(asset.holding.asset): \(asset.holding.amount.decimalText)"
  }
}
// sample

@Suite("The README is true")
struct ReadmeTests {
  private static let package =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func text(_ path: String) throws -> String {
    String(
      decoding: try Files.read(Self.package + "/" + path, byteCountMax: 1 << 20), as: UTF8.self)
  }

  @Test("the sample is what stands there, and does what it says")
  func sample() async throws {
    let own = try text("Tests/EndToEnd/ReadmeTests.swift")
    let sample = try #require(own.split(separator: "// sample\n").dropFirst().first)
    #expect(try text("README.md").contains("```swift\nimport Folio\n\n\(sample)```"))

    let world = try World(clock: nil)
    try world.createAccount()
    let held = try await replaceADevice(in: world.folder.path, server: world.url)
    #expect(held == ["crypto:bitcoin: 0.5", "stock:AAPL: 12.25"])
  }

  @Test("every command of the tour is one that the programs have")
  func tour() throws {
    let lines = try text("README.md").split(separator: "\n").filter { $0.hasPrefix("$ folio") }
    #expect(lines.count > 5)
    for line in lines {
      let words = line.dropFirst(2).split(separator: " ").map(String.init)
      let program = words[0] == "folio" ? World.client : World.server
      var path: [String] = []
      var isValue = false
      for word in words.dropFirst() where path.count < 2 {
        if isValue {
          isValue = false
        } else if word.hasPrefix("--") {
          isValue = true
        } else {
          path.append(word)
        }
      }
      let group = ["asset", "category", "doc", "snapshot", "account", "prices", "assets", "log"]
      let command = group.contains(path[0]) ? path : [path[0]]
      let run = try program.run(command + ["--help"])
      #expect(
        run.status == 0
          && run.output.contains("usage: \(words[0]) \(command.joined(separator: " "))"), "\(line)")
    }
  }
}
