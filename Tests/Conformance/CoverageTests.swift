import Foundation
import Testing

@testable import FolioConformance

/// Each requirement of the specification is held by something, and nothing names one that is not.
@Suite("Requirements")
struct CoverageTests {
  /// The numbers that the pages state.
  private static func stated() throws -> [String] {
    try pages().flatMap { page in
      page.matches(of: /\*\*\[([a-z]+-[0-9]+)\]/).map { String($0.output.1) }
    }
  }

  private static func pages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      at: Published.folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "md" }.map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// Where each number is named: in vectors, in checks of the runner, in tests.
  private static func named() throws -> [String: Set<String>] {
    var named: [String: Set<String>] = [:]
    for check in ServerCheck.all.map(\.requirements) + ClientCheck.all.map(\.requirements) {
      for number in check { named[number, default: []].insert("a check") }
    }
    for folder in [Published.tests, Published.vectors] {
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        let name = file.lastPathComponent
        guard ["swift", "ndjson", "py"].contains(file.pathExtension),
          !file.path.contains("/.build/"), let text = try? String(contentsOf: file, encoding: .utf8)
        else { continue }
        // In vectors a number is a text of a list, elsewhere it is in brackets.
        let pattern =
          file.pathExtension == "ndjson"
          ? /"requirements":\[([^\]]*)\]/ : /\[((?:[a-z]+-[0-9]+))\]/
        for match in text.matches(of: pattern) {
          for number in match.output.1.split(separator: ",") {
            named[number.filter { $0 != "\"" }, default: []].insert(name)
          }
        }
      }
    }
    return named
  }

  @Test("Each requirement is stated once")
  func once() throws {
    let stated = try Self.stated()
    #expect(stated.count > 150)
    let twice = Dictionary(grouping: stated) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    #expect(twice == [], "stated twice")
  }

  @Test("Each requirement is named by a vector, a check or a test")
  func covered() throws {
    let named = try Self.named()
    #expect(try Self.stated().filter { named[$0] == nil } == [], "named by nothing")
  }

  @Test("Nothing names a requirement that there is not")
  func existing() throws {
    let stated = Set(try Self.stated())
    let strange = try Self.named().filter { !stated.contains($0.key) }
    #expect(strange.mapValues { $0.sorted() } == [:], "named, and not stated")
  }
}
