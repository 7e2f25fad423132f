import FolioJSON
import Foundation
import Testing

@testable import FolioServer
@testable import FolioWire

/// The codes that the specification states are those that the programs know, with what belongs to
/// each; neither has one that the other lacks [error-2].
@Suite("Codes of errors")
struct ErrorCodeTests {
  /// A row of the specification's tables, as the texts in their cells.
  private static func rows() throws -> [[String]] {
    try Published.specification.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The codes in a cell.
  private static func codes(_ cell: String) -> [String] {
    cell.matches(of: /`([a-z_]+)`/).map { String($0.output.1) }
  }

  @Test("Refusals: the same codes, classes and actions")
  func refusals() throws {
    var stated: [String: [String]] = [:]
    let classes = ["retry", "auth", "request", "state", "fatal"]
    for row in try Self.rows() where row.count == 4 {
      let errorClass = Self.codes(row[1])
      guard errorClass.count == 1, classes.contains(errorClass[0]) else { continue }
      for code in Self.codes(row[0]) { stated[code] = errorClass + Self.codes(row[2]) }
    }
    let known = Dictionary(
      uniqueKeysWithValues: ErrorCode.allCases.map {
        ($0.rawValue, [$0.errorClass.text, $0.action.text])
      })
    #expect(stated == known)
  }

  @Test("Classes and actions: the same names")
  func classes() throws {
    let rows = try Self.rows()
    let classes = Self.codes(try #require(rows.first { $0.first == "`class`" })[2])
    let actions = Self.codes(try #require(rows.first { $0.first == "`action`" })[2])
    for name in classes { #expect(!ErrorClass(text: name).isUnknown, "\(name)") }
    for name in actions { #expect(!ErrorAction(text: name).isUnknown, "\(name)") }
    #expect(Set(ErrorCode.allCases.map(\.errorClass.text)) == Set(classes))
    #expect(classes.count == 5 && actions.count == 7)
  }

  @Test("Faults of lines: each has its code in the specification, and a vector")
  func faults() throws {
    let stated = Set(
      try Published.specification.matches(of: /`([a-z][a-z_0-9]+)`/).map { String($0.output.1) })
    let framing: [WireError.Code] = [.lineTooLong, .strayCarriageReturn, .unterminatedLine]
    let codes = Set((JSONError.Code.allCases.map { .json($0) } + framing).map(\.text))
    #expect(codes.subtracting(stated) == [], "stated nowhere")
    var used: Set<String> = []
    for file in ["invalid.ndjson", "framing.ndjson"] {
      used.formUnion(try Published.objects(file).compactMap { $0.text("code") })
    }
    #expect(used == codes, "what vectors give")
  }

  @Test("Reasons that a transaction can never be taken for")
  func reasons() throws {
    let sentence = try #require(
      try Published.specification.firstMatch(of: /Reasons of `rejected`:([^\n]*)/))
    // The others cannot come by a line: its decoder refuses them before.
    let unheard: Set<RejectReason> = [.keyOfPlainBody, .sequenceZero]
    #expect(
      Set(Self.codes(String(sentence.output.1)))
        == Set(RejectReason.allCases.filter { !unheard.contains($0) }.map(\.rawValue)))
  }
}

extension ErrorClass {
  fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

extension ErrorAction {
  fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
}
