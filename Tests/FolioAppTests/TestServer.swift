import FolioDomain
import FolioServer
import FolioSystem
import FolioTransport
import FolioWire
import Synchronization
import TestSupport

/// A real server within this process, on storage in memory, whose connections need no thread.
final class TestServer: @unchecked Sendable {
  let clock: ManualClock
  let random: SeededSource
  /// Bytes of both sides before a connection is reset; each connection takes the next one.
  var cuts: [Int] = []
  private(set) var connectionCount = 0
  private(set) var byteCount = 0
  /// What new connections are told; setting it takes a new hub.
  var limits = Limits() {
    didSet { hub = (try? Self.prepare(storage, clock, random, limits)) ?? hub }
  }
  private var storage = MemoryServerStorage()
  private var hub: ServerHub

  init(clock: ManualClock, seed: UInt64 = 7) throws {
    self.clock = clock
    random = SeededSource(seed: seed)
    hub = try Self.prepare(storage, clock, random, Limits())
    try createAccount()
  }

  private static func prepare(
    _ storage: MemoryServerStorage, _ clock: ManualClock, _ random: SeededSource, _ limits: Limits
  ) throws -> ServerHub {
    _ = try storage.write(PrepareFolder(base: "USD", random: random, now: clock.now()))
    let service = try ServerService(storage: storage, clock: clock, random: random, limits: limits)
    return ServerHub(service: service)
  }

  private func createAccount() throws {
    _ = try storage.write(CreateAccount("me", random: random, now: clock.now()))
  }

  /// Loses everything, as a new disk would; the account is made again, with another id.
  func empty() throws {
    storage = MemoryServerStorage()
    hub = try Self.prepare(storage, clock, random, limits)
    try createAccount()
  }

  /// What it has now, to go back to.
  func snapshot() -> MemoryServerStorage { storage.copied() }

  /// Goes back to what it had.
  func restore(_ snapshot: MemoryServerStorage) throws {
    storage = snapshot.copied()
    hub = try Self.prepare(storage, clock, random, limits)
  }

  func importPrices(_ rows: [(String, String, Timestamp)]) throws {
    var observations = PriceObservations()
    for (asset, price, time) in rows {
      observations.add(try AssetKey(asset), try Price(price), at: time)
    }
    _ = try storage.write(ImportPrices(observations, now: clock.now()))
  }

  func importAssets(_ rows: [(String, String)]) throws {
    let assets = try rows.map { asset, symbol in
      AssetInfo(asset: try AssetKey(asset), symbol: symbol, name: "\(symbol) \(asset)")
    }
    _ = try storage.write(ImportAssets(assets))
  }

  func head() throws -> LogPosition {
    try storage.read(
      LogFacts(account: "me", device: DeviceID(0), points: [])
    ).account.head
  }

  func connect() -> any ByteConnection {
    connectionCount += 1
    let cut = cuts.isEmpty ? nil : cuts.removeFirst()
    return HubConnection(self, bytesUntilReset: cut)
  }

  fileprivate func open() -> ConnectionID? { hub.connect(at: .zero) }
  fileprivate func forget(_ id: ConnectionID) { hub.forget(id) }

  fileprivate func take(_ bytes: [UInt8], on id: ConnectionID) {
    byteCount += bytes.count
    hub.receive(bytes, on: id, at: .zero)
    hub.advance(at: .zero)
  }

  fileprivate func give(_ count: Int, on id: ConnectionID) -> [UInt8] {
    let bytes = Array(hub.output(of: id).prefix(count))
    byteCount += bytes.count
    hub.sent(bytes.count, on: id, at: .zero)
    hub.advance(at: .zero)
    return bytes
  }

  fileprivate func isFinished(_ id: ConnectionID) -> Bool { hub.isFinished(id) }
}

/// A connection to the server in this process.
final class HubConnection: ByteConnection, @unchecked Sendable {
  private let server: TestServer
  private let id: ConnectionID?
  private var bytesUntilReset: Int?
  private var isClosed = false

  init(_ server: TestServer, bytesUntilReset: Int?) {
    self.server = server
    self.bytesUntilReset = bytesUntilReset
    id = server.open()
  }

  func exchange(
    sending bytes: UnsafeRawBufferPointer, receivingInto buffer: UnsafeMutableRawBufferPointer,
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    guard let id, !isClosed else { throw .closed }
    var result = ByteExchange()
    let arriving = allowed(bytes.count)
    spend(arriving)
    server.take(Array(bytes.prefix(arriving)), on: id)
    if arriving < bytes.count { throw reset(id) }
    result.sentCount = arriving
    let wanted = allowed(buffer.count)
    let answer = server.give(wanted, on: id)
    spend(answer.count)
    buffer.copyBytes(from: answer)
    result.receivedCount = answer.count
    if result.receivedCount == 0, result.sentCount == 0 {
      if bytesUntilReset == 0 { throw reset(id) }
      result.isEnded = server.isFinished(id)
      result.isTimedOut = !result.isEnded
    }
    return result
  }

  private func allowed(_ count: Int) -> Int { min(count, bytesUntilReset ?? count) }

  private func spend(_ count: Int) {
    if let left = bytesUntilReset { bytesUntilReset = left - count }
  }

  private func reset(_ id: ConnectionID) -> TransportError {
    close()
    return .reset
  }

  func finishSending() {}

  func close() {
    if !isClosed, let id { server.forget(id) }
    isClosed = true
  }
}
