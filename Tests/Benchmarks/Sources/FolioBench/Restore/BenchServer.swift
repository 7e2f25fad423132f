import FolioCrypto
import FolioDomain
import FolioSystem
import FolioTransport
import FolioWire
import Foundation

/// A server's folder with ten years of prices and a log, made by the server's own program.
struct BenchServer {
  static let account = "bench"
  static let first = Slot(containing: Timestamp(milliseconds: 1_577_836_800_000))
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
  func prepare(_ content: Content) throws {
    try run("account", "create", Self.account)
    let assets = content.assets.enumerated().map { number, asset in
      "{\"type\":\"\(asset.type)\",\"id\":\"\(asset.id)\",\"symbol\":\"S\(number)\","
        + "\"name\":\"Asset number \(number)\",\"rank\":\(number + 1)}\n"
    }
    try importing(Array(assets.joined().utf8), "assets")
    var walk = PriceWalk(content.assets)
    let slots = Array(Self.first.index + 1...Self.last.index)
    let perYear = 1_461
    for begin in stride(from: 0, to: slots.count, by: perYear) {
      let year = slots[begin..<min(begin + perYear, slots.count)]
      var file = Array("time,type,id,price\n".utf8)
      file.reserveCapacity(year.count * content.assets.count * 56)
      for index in year { walk.append(Slot(index: index), to: &file) }
      try importing(file, "prices")
    }
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

  /// Gives the server a log of `count` transactions, spread over all slots, as a client that kept
  /// them would.
  func fill(_ content: Content, count: Int) throws {
    var client = try LineClient(url, variables: Self.variables)
    defer { client.close() }
    let software = Software(name: "folio-bench", version: "1")
    _ = try client.ask(.hello(Hello(client: software, nonce: 1)))
    let device = DeviceIdentity(id: DeviceID(1), instance: InstanceID(1))
    let auth = Authentication(account: Self.account, device: device)
    guard case .ready(let ready) = try client.ask(.auth(auth)) else {
      throw Command.Failed(description: "the server lets nobody in")
    }
    let interval = Int64(RestoreBenchmark.slots) * Slot.milliseconds / Int64(count)
    // The first transaction is one of the first slot.
    var log = LogContent(
      content, account: ready.account, log: ready.log,
      start: Self.first.start.adding(milliseconds: 60_000 - interval))
    var state = AcceptedState()
    for begin in stride(from: 0, to: count, by: 1_000) {
      let after = log.head
      var entries: [WireEntry] = []
      for number in begin..<min(begin + 1_000, count) {
        // One transaction near the end tells the state's digest, for the restored one to agree with.
        let digest = number == count - 500 ? state.digest(using: SHA256.self).value : nil
        let entry = try log.next(after: interval, digest: digest)
        state.apply(entry, hash: log.head.hash)
        entries.append(WireEntry(entry))
      }
      let refill = Refill(account: ready.account, after: after, entries: entries)
      guard case .ack(let ack) = try client.ask(.refill(refill)), ack.head == log.head else {
        throw Command.Failed(description: "the server did not take the log")
      }
    }
  }
}

/// Prices that go up and down a little with each slot.
private struct PriceWalk {
  private let rows: [[UInt8]]
  private var prices: [(digits: Int, places: Int)]
  private var random = Seeded(seed: 66)

  init(_ assets: [AssetKey]) {
    var random = Seeded(seed: 77)
    rows = assets.map { Array(",\($0.type),\($0.id),".utf8) }
    prices = assets.map { _ in (random.int(1_000...99_999_999), random.int(1...6)) }
  }

  /// Appends a line for each asset, with its price at the start of a slot.
  mutating func append(_ slot: Slot, to file: inout [UInt8]) {
    let time = Array(slot.start.text.utf8)
    for index in rows.indices {
      let step = max(prices[index].digits / 500, 10)
      prices[index].digits = max(prices[index].digits + random.int(-step...step), 100)
      file += time
      file += rows[index]
      append(prices[index], to: &file)
      file.append(0x0A)
    }
  }

  private func append(_ price: (digits: Int, places: Int), to file: inout [UInt8]) {
    let digits = Array(String(price.digits).utf8)
    let zeros = max(price.places + 1 - digits.count, 0)
    let all = Array(repeating: UInt8(ascii: "0"), count: zeros) + digits
    file += all.dropLast(price.places)
    file.append(UInt8(ascii: "."))
    file += all.suffix(price.places)
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
