import FolioCrypto
import FolioDomain
import FolioSystem
import FolioTransport
import FolioWire
import Foundation

/// A server's folder with ten years of prices and a log, made by the server's own program.
struct BenchServer {
  static let account = "bench"
  static let first = TenYears.first
  static var last: Slot { Slot(index: first.index + Int64(RestoreBenchmark.slots)) }
  /// Three hours into the last slot: its table is there, and no later one.
  static var variables: [String: String] {
    ["FOLIO_CLOCK": last.start.adding(milliseconds: 10_800_000).text]
  }

  let folder: String
  let programs: Programs

  /// What a client is given to reach it.
  var url: String { "stdio:'\(programs.server)' serve --stdio --account bench --data '\(folder)'" }

  // MARK: Prices

  /// Makes the folder, with the account, the asset table and all price tables.
  func prepare(_ years: TenYears) throws {
    let content = years.content
    try run("account", "create", Self.account)
    let assets = content.assets.enumerated().map { number, asset in
      "{\"type\":\"\(asset.type)\",\"id\":\"\(asset.id)\",\"symbol\":\"S\(number)\","
        + "\"name\":\"Asset number \(number)\",\"rank\":\(number + 1)}\n"
    }
    try importing(Array(assets.joined().utf8), "assets")
    let heads = content.assets.map { Array(",\($0.type),\($0.id),".utf8) }
    let perYear = 1_461
    for begin in stride(from: 0, to: years.slotCount, by: perYear) {
      let year = begin..<min(begin + perYear, years.slotCount)
      var file = Array("time,type,id,price\n".utf8)
      file.reserveCapacity(year.count * heads.count * 56)
      for place in year {
        let time = Array(Slot(index: Self.first.index + 1 + Int64(place)).start.text.utf8)
        for (head, price) in zip(heads, years.prices[place]) {
          file += time
          file += head
          Self.append(price, to: &file)
        }
      }
      try importing(file, "prices")
    }
  }

  /// Appends a price of ten-thousandths, and the end of the line.
  private static func append(_ price: Int32, to file: inout [UInt8]) {
    let (whole, rest) = price.quotientAndRemainder(dividingBy: 10_000)
    file += Array("\(whole).\(String(rest + 10_000).dropFirst())\n".utf8)
  }

  private func importing(_ file: [UInt8], _ kind: String) throws {
    let path = folder + "-\(kind)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(file).write(to: URL(fileURLWithPath: path))
    try run(kind, "import", path)
  }

  private func run(_ words: String...) throws {
    _ = try Command.run(
      [programs.server, "--data", folder, "--json"] + words, variables: Self.variables)
  }

  // MARK: The log

  /// Gives the server the log of ten years, as a client that kept it would, and gives its entries.
  @discardableResult
  func fill(_ years: TenYears) throws -> [LogEntry] {
    let count = years.changes.count
    var client = try LineClient(url, variables: Self.variables)
    defer { client.close() }
    let software = Software(name: "folio-bench", version: "1")
    _ = try client.ask(.hello(Hello(client: software, nonce: 1)))
    let device = DeviceIdentity(id: DeviceID(1), instance: InstanceID(1))
    let auth = Authentication(account: Self.account, device: device)
    guard case .ready(let ready) = try client.ask(.auth(auth)) else {
      throw Command.Failed(description: "the server lets nobody in")
    }
    var log = LogContent(
      years.content, account: ready.account, log: ready.log, start: Self.first.start)
    var all: [LogEntry] = []
    var state = AcceptedState()
    for begin in stride(from: 0, to: count, by: 1_000) {
      let after = log.head
      var entries: [WireEntry] = []
      for number in begin..<min(begin + 1_000, count) {
        let change = years.changes[number]
        // One transaction near the end tells the state's digest, for the restored one to agree with.
        let digest = number == count - 500 ? state.digest(using: SHA256.self).value : nil
        let entry = try log.next(
          after: change.at.milliseconds - log.acceptedAt.milliseconds, digest: digest,
          operations: years.operations(change))
        all.append(entry)
        state.apply(entry, hash: log.head.hash)
        entries.append(WireEntry(entry))
      }
      let refill = Refill(account: ready.account, after: after, entries: entries)
      guard case .ack(let ack) = try client.ask(.refill(refill)), ack.head == log.head else {
        throw Command.Failed(description: "the server did not take the log")
      }
    }
    return all
  }
}

/// A client that asks one thing after the other.
private struct LineClient {
  private let connection: any ByteConnection
  private let clock = SystemMonotonicClock()
  private var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var last: UInt64 = 0
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(_ url: String, variables: [String: String]) throws {
    connection = try ServerURL(url).connect(variables: variables, clock: clock)
  }

  func close() { connection.close() }

  mutating func ask(_ request: Request) throws -> Reply {
    last += 1
    let deadline = clock.now() + .seconds(60)
    try connection.writeAll(Message.request(RequestID(last), request).line, until: deadline)
    while true {
      while let line = try framer.next() {
        if line.isEmpty { continue }
        switch try Message(line: line) {
        case .reply(RequestID(last), let reply): return reply
        case .error(_, let error): throw Command.Failed(description: "\(error)")
        default: continue
        }
      }
      switch try connection.read(into: &buffer, until: deadline) {
      case .bytes(let count): framer.append(buffer[..<count])
      case .timedOut, .end: throw Command.Failed(description: "the server is silent")
      }
    }
  }
}
