import FolioDomain
import FolioJSON
import TestSupport
import Testing

@testable import FolioServer

/// Each rule of a server's folder, broken alone, is named, and nothing else is.
@Suite("Every rule of a server's folder")
struct VerifyRuleTests {
  /// A row that is changed behind the back of all rules, and the problems that this makes.
  struct Breach: Sendable, CustomTestStringConvertible {
    var rules: [StorageProblem.Rule]
    var what: String
    /// The code of the error with which the program does not even open such a folder.
    var refusal: String?
    var act: @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void

    init(
      _ what: String, _ rules: StorageProblem.Rule..., refusal: String? = nil,
      act: @escaping @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void
    ) {
      self.rules = rules
      self.what = what
      self.refusal = refusal
      self.act = act
    }

    var testDescription: String { "\(rules): \(what)" }
  }

  @Test("each rule is broken by a test")
  func all() {
    let alone = Self.breaches.filter { $0.rules.count == 1 }.flatMap(\.rules)
    // A log that ends early breaks others, too.
    #expect(Set(StorageProblem.Rule.allCases).subtracting(alone) == [.logGap])
    #expect(Set(Self.breaches.flatMap(\.rules)) == Set(StorageProblem.Rule.allCases))
  }

  @Test("each rule", arguments: breaches)
  func breach(_ breach: Breach) throws {
    let server = try VerifyTests().server()
    #expect(try server.storage.read(VerifyStorage()).problems == [])
    try breach.act(server)
    let problems = try server.storage.read(VerifyStorage()).problems
    #expect(Set(problems.map(\.rule)) == Set(breach.rules), "\(problems)")
    #expect(problems.first?.rule == breach.rules.first)
    try expectTold(breach, problems, server)
  }

  /// The program says the same of the same rows in a folder, and what it is of is left as it was.
  private func expectTold(
    _ breach: Breach, _ problems: [StorageProblem], _ server: ServerFixture<MemoryServerStorage>
  ) throws {
    let folder = try TemporaryFolder("verify")
    let rows = try server.storage.read(AllRows())
    let storage = try LMDBServerStorage(at: folder.path)
    try storage.write(PutAllRows(rows: rows))
    storage.close()
    let before = try folder.bytes(of: ServerFolder.dataFile)
    let run = try BuiltProgram("folio-server").run(["--data", folder.path, "--json", "verify"])
    #expect(run.status == 65)
    #expect(try folder.bytes(of: ServerFolder.dataFile) == before)
    if let refusal = breach.refusal {
      #expect(run.output.isEmpty && run.errors.contains("\"code\":\"\(refusal)\""), "\(run.errors)")
      return
    }
    let told = try JSONValue(parsing: #require(run.lines.first))
    #expect(told["ok"] == .bool(false))
    #expect(told["problemCount"] == .integer(Int64(problems.count)))
    guard case .array(let list)? = told["problems"] else {
      Issue.record("no problems are listed: \(run.output)")
      return
    }
    #expect(list.map { $0["code"] } == problems.map { .string($0.code) })
  }
}

/// Rows as they are stored, into an empty storage.
private struct PutAllRows: ServerChange {
  let rows: [[[UInt8]]]

  func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    for row in rows {
      guard let space = Space(rawValue: Int(row[0][0])) else { continue }
      try transaction.put(space, row[1], row[2])
    }
  }
}

extension JSONValue {
  /// A member of an object.
  fileprivate subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}
