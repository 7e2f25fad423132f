import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Misuse that the compiler refuses, one file each in the folder MustNotCompile.
///
/// The first line of a file says what is to come of it: `// refused: ` and a part of the compiler's
/// message, or `// compiles` for the control, without which a wrong path would pass for a refusal.
@Suite struct MustNotCompileTests {
  static let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast().joined(separator: "/")
  static let folder = here + "/MustNotCompile"

  static let cases: [String] = {
    var names: [String] = []
    guard let folder = opendir(folder) else { return [] }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name.hasSuffix(".swift") { names.append(name) }
    }
    return names.sorted()
  }()

  /// Compiles a file against the module beside the tests, as far as the compiler finds errors.
  static func compile(_ path: String) throws -> CommandRun {
    try BuiltProgram(at: "/usr/bin/env").run([
      "swiftc", "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", "/dev/null",
      "-I", BuiltProgram.productsFolder + "/Modules", "-I", here + "/../../Sources/CLMDB", path,
    ])
  }

  @Test func allCasesAreFound() {
    #expect(Self.cases.count >= 14)
    #expect(Self.cases.contains("control-uses-all-that-is-right.swift"))
  }

  @Test(arguments: cases) func theCompilerSaysWhatItShould(_ name: String) throws {
    let path = Self.folder + "/" + name
    let head = try CommandRun.shell("head -1 '\(path)'").lines.first ?? ""
    let run = try Self.compile(path)
    if head == "// compiles" {
      #expect(run.status == 0, "\(run.errors)")
      #expect(!run.errors.contains("error:"))
      return
    }
    let mark = "// refused: "
    try #require(head.hasPrefix(mark))
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("error:"))
    #expect(run.errors.contains(head.dropFirst(mark.count)), "\(run.errors)")
  }
}
