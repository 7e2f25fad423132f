import Foundation

/// A row of the table: something that is measured beside its peer, and held to a bar.
protocol Benchmark {
  /// The word that chooses it on the command line.
  static var name: String { get }
  /// What is measured, beside what.
  static var title: String { get }
  /// What it has to reach, in words; the figures carry the number.
  static var bar: String { get }
  /// The size of the work in the short run, and in the long one.
  static var size: Size { get }
  /// The peers and libraries it runs, with their versions.
  static func libraries() -> [String]
  /// Measures, and gives the figures to the output.
  static func measure(_ run: Run) throws
}

extension Benchmark {
  static func libraries() -> [String] { [] }
}

/// How much work a benchmark does.
struct Size {
  var short: Int
  var long: Int
  /// Of what there are so many.
  var unit: String

  init(_ short: Int, long: Int? = nil, _ unit: String) {
    self.short = short
    self.long = long ?? short
    self.unit = unit
  }

  func text(isLong: Bool) -> String { "\(isLong ? long : short) \(unit)" }
}

/// What a benchmark is run with.
struct Run {
  /// Where figures go.
  let output: Output
  /// A folder on a disk, for what is durable.
  let folder: String
  /// Where the project's programs are, as they are built for release.
  let programFolder: String
  /// Whether time is no matter.
  let isLong: Bool

  /// The project's programs.
  func programs() throws -> Programs { try Programs(in: programFolder) }

  func count(_ size: Size) -> Int { isLong ? size.long : size.short }

  /// Calls `body` with an empty folder of that name, which is gone afterwards.
  func inFolder<R>(_ name: String, _ body: (String) throws -> R) throws -> R {
    let path = "\(folder)/\(name)"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }
}

/// What is to be compared is not the same on both sides.
func demand(_ isSo: Bool, _ what: @autoclosure () -> String) throws {
  if !isSo { throw Command.Failed(description: what()) }
}
