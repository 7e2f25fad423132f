import FolioCrypto
import FolioDomain
import FolioWire
import Foundation

/// A page of 1,000 transactions, decoded and encoded, and the same by Foundation.
///
/// Twice: as a message, whose bodies ours checks for canonical form and keeps as bytes, against
/// structs of numbers and texts; and typed to the last amount, bodies and all, against structs that
/// Foundation makes the very same values of. Ours checks everything that the protocol asks of a line
/// meanwhile.
enum PageBenchmark: Benchmark {
  static let name = "page"
  static let title = "a page of the log to and from typed values / Foundation's JSON coders"
  static let bar = "20 times as fast"
  static let size = Size(1_000, "transactions")
  static let transactions = 1_000
  static let rounds = 9
  static let least = 20.0

  static func measure(_ run: Run) throws {
    let output = run.output
    let work = try PageWork(transactions: transactions)
    try work.compare()
    try report(output, "page.decode", work, ours: work.decodeMessage, peer: work.decodePlain)
    try report(output, "page.decode.typed", work, ours: work.decodeTyped, peer: work.decodeLeaves)
    try report(output, "page.encode", work, ours: work.encodeMessage, peer: work.encodePlain)
    try report(output, "page.encode.typed", work, ours: work.encodeTyped, peer: work.encodeLeaves)
  }

  private static func report(
    _ output: Output, _ name: String, _ work: PageWork, ours: () throws -> Int,
    peer: () throws -> Int
  ) throws {
    let measured = try Rounds.alternating(
      rounds, ours: { try time(40, ours) }, peer: { try time(3, peer) })
    let size = Double(work.line.count)
    try output.add(.ratio("\(name) / Foundation", measured, atLeast: least))
    try output.add(.plain(name, measured.ours.map { size * 1e3 / $0 }, "MB/s"))
    try output.add(.plain("\(name), Foundation", measured.peer.map { size * 1e3 / $0 }, "MB/s"))
  }

  /// Processor time for one of `count` calls, each of which tells how many transactions it did.
  private static func time(_ count: Int, _ work: () throws -> Int) throws -> Double {
    try Stopwatch.processor(count) {
      guard try work() == transactions else {
        throw Command.Failed(description: "a page of another number of transactions")
      }
    }
  }
}

/// The page in all its forms, and what is done with it; each call tells how many transactions it did.
struct PageWork {
  /// The line, without its end.
  let line: [UInt8]
  private let data: Data
  private let page: Page
  private let bodies: [TransactionBody]
  private let plain: PageLine
  private let leaves: TypedLine
  private let decoder = JSONDecoder()
  private let encoder = JSONEncoder()

  init(transactions: Int) throws {
    var log = LogContent(
      try Content(assetCount: 200), account: AccountID(Hash256(words: (1, 2, 3, 4))),
      log: LogID(5), start: Timestamp(milliseconds: 1_772_348_400_000))
    let entries = try (0..<transactions).map { number in
      let digest = number.isMultiple(of: 10) ? log.head.hash : nil
      return WireEntry(try log.next(after: 100_000, digest: digest))
    }
    page = Page(entries: entries, last: log.head, more: true)
    bodies = try entries.map { try TransactionBody(decoding: $0.transaction.body) }
    line = Array(Message.reply(RequestID(7), .page(page)).line.dropLast())
    data = Data(line)
    plain = try decoder.decode(PageLine.self, from: data)
    leaves = try decoder.decode(TypedLine.self, from: data)
    encoder.outputFormatting = [.withoutEscapingSlashes]
  }

  /// Whether all read the same from the line, and all write the same line.
  func compare() throws {
    let read = try Self.page(of: line)
    let typed = try Self.bodies(of: read)
    let sorted = JSONEncoder()
    sorted.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    guard read == page, typed == bodies, PageLine(page, bodies, re: 7) == plain,
      TypedLine(page, bodies, re: 7) == leaves, try write(withBodies: true) == line + [0x0A],
      try sorted.encode(plain) == data, try sorted.encode(leaves) == data
    else { throw Command.Failed(description: "the two sides read or write different pages") }
  }

  func decodeMessage() throws -> Int { try Self.page(of: line).entries.count }

  func decodeTyped() throws -> Int { try Self.bodies(of: Self.page(of: line)).count }

  func decodePlain() throws -> Int {
    try decoder.decode(PageLine.self, from: data).entries.count
  }

  func decodeLeaves() throws -> Int {
    try decoder.decode(TypedLine.self, from: data).entries.count
  }

  func encodeMessage() throws -> Int { try count(write(withBodies: false).count) }

  func encodeTyped() throws -> Int { try count(write(withBodies: true).count) }

  func encodePlain() throws -> Int { try count(encoder.encode(plain).count) }

  func encodeLeaves() throws -> Int { try count(encoder.encode(leaves).count) }

  private static func page(of line: [UInt8]) throws -> Page {
    guard case .reply(_, .page(let page)) = try Message(line: line) else {
      throw Command.Failed(description: "the line is not a page")
    }
    return page
  }

  private static func bodies(of page: Page) throws -> [TransactionBody] {
    try page.entries.map { try TransactionBody(decoding: $0.transaction.body) }
  }

  private func write(withBodies: Bool) throws -> [UInt8] {
    guard withBodies else { return Message.reply(RequestID(7), .page(page)).line }
    var page = page
    for index in page.entries.indices {
      page.entries[index].transaction.body = try bodies[index].encoded()
    }
    return Message.reply(RequestID(7), .page(page)).line
  }

  /// The end of the line is ours alone.
  private func count(_ byteCount: Int) -> Int {
    line.count...line.count + 1 ~= byteCount ? PageBenchmark.transactions : 0
  }
}
