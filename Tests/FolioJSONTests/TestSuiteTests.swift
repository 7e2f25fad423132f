import FolioJSON
import Foundation
import TestSupport
import Testing

/// The verdict of the protocol's rules on an input of the suite, as it is published.
private struct Verdict: Decodable {
  var name: String
  var code: String?
  var offset: Int?

  static func all() throws -> [Verdict] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Protocol/v1/vectors/json-suite.ndjson")
    return try Data(contentsOf: file).split(separator: 0x0A)
      .map { try JSONDecoder().decode(Verdict.self, from: Data($0)) }
  }
}

private let folder = "json-test-suite"

/// The 318 inputs of the JSON test suite, by whose names the verdicts are published.
@Suite(
  "The JSON test suite",
  .enabled(
    if: RealData.has("\(folder)/y_array_empty.json"),
    Comment(rawValue: RealData.reason("\(folder)/*.json"))))
struct TestSuiteTests {
  private static func input(_ name: String) throws -> [UInt8] {
    try RealData.read("\(folder)/\(name)")
  }

  /// Inputs on which the suite leaves the verdict open: those that the lexer takes.
  ///
  /// It takes every number, however great, and refuses what is not UTF-8, halves of pairs, and a
  /// mark before the text.
  private static let taken: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json",
    "i_number_neg_int_huge_exp.json", "i_number_pos_double_huge_exp.json",
    "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
    "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
    "i_number_too_big_pos_int.json", "i_number_very_big_negative_int.json",
    "i_structure_500_nested_arrays.json",
  ]

  @Test("What is JSON is taken, what is not is refused, and what is left open is as stated")
  func grammar() throws {
    let verdicts = try Verdict.all()
    #expect(verdicts.count == 318)
    for name in verdicts.map(\.name) {
      let isTaken = fault(try Self.input(name), .rfc8259) == nil
      let isExpected = name.hasPrefix("y_") || Self.taken.contains(name)
      #expect(isTaken == isExpected, "\(name)")
    }
    #expect(Self.taken.isSubset(of: verdicts.map(\.name)))
  }

  @Test("The protocol's own verdict is the one that is published, at the byte that is")
  func protocolRules() throws {
    // Faults of the grammar come before those of values.
    let grammar = JSONRules(numbers: .any, depthMax: 32, refusesDuplicates: true)
    for verdict in try Verdict.all() {
      let input = try Self.input(verdict.name)
      let fault = fault(input, grammar) ?? fault(input, .protocol)
      #expect(fault?.code.rawValue == verdict.code, "\(verdict.name)")
      #expect(fault?.offset == verdict.offset, "\(verdict.name)")
    }
  }
}
