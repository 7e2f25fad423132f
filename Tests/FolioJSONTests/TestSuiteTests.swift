import FolioJSON
import Foundation
import Testing

private let suiteDirectory = ProcessInfo.processInfo.environment["JSON_TEST_SUITE_DIR"]

/// The JSON test suite, where `JSON_TEST_SUITE_DIR` names the folder of its inputs.
@Suite(.enabled(if: suiteDirectory != nil))
struct TestSuiteTests {
  @Test func everyInputHasItsVerdict() throws {
    let directory = try #require(suiteDirectory)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.hasSuffix(".json") }
    #expect(names.count >= 318)
    for name in names {
      let json = [UInt8](try Data(contentsOf: URL(filePath: directory).appending(path: name)))
      let verdict = fault(json, .rfc8259)
      if name.hasPrefix("y_") { #expect(verdict == nil, "\(name)") }
      if name.hasPrefix("n_") { #expect(verdict != nil, "\(name)") }
    }
  }
}
