import FolioDomain
import FolioServer
import TestSupport
public import WireLaws

extension Law {
  /// Each line of a file of prices is a price or is named with what is wrong, and a bad one takes
  /// nothing with it: without the bad lines, and with other ends of lines, the file makes the same
  /// tables.
  public static let prices = Law("prices") { bytes, isPlanted in
    let lines = lines(of: bytes)
    let file: PriceFile
    do {
      file = try read(bytes)
    } catch PriceFileError.header {
      let isHeader = lines.first == Array(PriceFile.header.utf8)
      return try require(!isHeader, "the header is not taken for one")
    }
    try require(lines.first == Array(PriceFile.header.utf8), "another header is taken for it")
    let written = lines.dropFirst().count { !$0.isEmpty }
    let named = file.problems.count - (isPlanted && hasQuoteProblem(file) ? 1 : 0)
    try require(
      file.observations.count + named == written,
      "\(file.observations.count) prices and \(named) problems in \(written) lines")
    try problemsAreTold(file.problems, lineCount: lines.count)

    let bad = Set(file.problems.kept.map(\.line))
    let good = lines.enumerated().filter { !bad.contains($0.offset + 1) }.map(\.element)
    let again = try read(Array(([0xEF, 0xBB, 0xBF] + good.joined(separator: [0x0D, 0x0A]))))
    guard file.problems.count == bad.count else { return }
    try require(again.problems.isEmpty, "a good line is bad without the others")
    try require(try tables(file) == tables(again), "the bad lines make other tables")
  }

  private static func read(_ bytes: [UInt8]) throws -> PriceFile {
    try bytes.withUnsafeBytes { try PriceFile($0, base: "USD") }
  }

  /// The lines, an end of input after an end of line being none.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    var lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { Array($0.last == 0x0D ? $0.dropLast() : $0) }
  }

  private static func problemsAreTold(_ problems: LineProblems, lineCount: Int) throws {
    try require(
      problems.kept.count == min(problems.count, LineProblems.keptLimit), "problems not kept")
    var last = 1
    for problem in problems.kept {
      try require(problem.line > last && problem.line <= lineCount, "a problem out of order")
      try require(!problem.code.isEmpty && !problem.message.isEmpty, "a problem without a name")
      last = problem.line
    }
  }

  /// The fault that is planted: quotes that are not right are not counted.
  private static func hasQuoteProblem(_ file: PriceFile) -> Bool {
    file.problems.kept.contains { $0.code.hasPrefix("csv") }
  }

  private static func tables(_ file: PriceFile) throws -> ImportPrices.Answer {
    let storage = try PreparedStorage.empty.get().copied()
    let answer = try storage.write(ImportPrices(file.observations, now: PreparedStorage.now))
    let problems = try storage.read(VerifyStorage()).problems
    try require(problems.isEmpty, "the storage is not sound: \(problems)")
    return answer
  }
}

/// A server's storage in memory, prepared once and copied for each input.
enum PreparedStorage {
  /// 2026-03-01T07:00:00Z.
  static let now = Timestamp(milliseconds: 1_772_348_400_000)

  /// A storage without accounts.
  static let empty = Result {
    let storage = MemoryServerStorage()
    _ = try storage.write(PrepareFolder(base: "USD", random: SeededSource(seed: 1), now: now))
    return storage
  }

  /// The account of the storage that has one.
  static let account = "ann"

  /// A storage with an account.
  static let withAccount = Result {
    let storage = try empty.get().copied()
    _ = try storage.write(CreateAccount(account, random: SeededSource(seed: 2), now: now))
    return storage
  }
}
