import FolioSystem
import SessionLaws
import Testing
import WireLaws

/// The laws that fuzzing tries on made-up bytes, on those that were worth keeping.
@Suite("Fuzzing, replayed")
struct ReplayTests {
  static let laws: [Law] = [.framer, .message, .decimal, .prices, .server, .client]

  @Test("The law holds for each input of the corpus", arguments: laws)
  func corpus(_ law: Law) throws {
    let inputs = try KeptInput.all(in: "Corpus", of: law)
    #expect(inputs.count >= 20)
    for input in inputs { try check(law, input) }
  }

  @Test("What once broke the law does so no more", arguments: laws)
  func regressions(_ law: Law) throws {
    for input in try KeptInput.all(in: "Regressions", of: law) { try check(law, input) }
  }

  private func check(_ law: Law, _ input: KeptInput) throws {
    do {
      try law.check(input.bytes)
    } catch {
      Issue.record("\(input.path): \(error)")
    }
  }

  @Test("A fault that is planted is found", arguments: laws)
  func plantedFault(_ law: Law) throws {
    let finders = try KeptInput.all(in: "Corpus", of: law).filter { input in
      do {
        try law.check(input.bytes, withFault: true)
        return false
      } catch {
        return true
      }
    }
    #expect(!finders.isEmpty)
  }
}

/// A file of the folder beside this one.
private struct KeptInput {
  var path: String
  var bytes: [UInt8]

  /// The inputs of a law, in the order of their names.
  static func all(in folder: String, of law: Law) throws -> [KeptInput] {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    let path = (parts + [folder[...], law.name[...]]).joined(separator: "/")
    guard try Files.kind(of: path) != nil else { return [] }
    return try Files.entries(of: path).sorted().map { name in
      let file = path + "/" + name
      return KeptInput(path: file, bytes: try Files.read(file, byteCountMax: 1 << 24))
    }
  }
}
