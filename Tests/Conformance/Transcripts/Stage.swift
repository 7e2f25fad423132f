import FolioApp
import FolioCrypto
import FolioDomain
import FolioGateway
import FolioJSON
import FolioServer
import FolioStore
import FolioSystem
import FolioTransport
import FolioWire
import TestSupport

/// This package's server and clients in one process, on one clock, whose conversations are written
/// down line by line.
///
/// Each side is without a clock and without randomness of its own. So the record of a conversation is
/// what each of them says to what it hears; where it is the one published, each has done its part.
final class Stage: @unchecked Sendable {
  let clock: ManualClock
  private let random: SeededSource
  private let folder: TemporaryFolder
  private var storage = MemoryServerStorage()
  private var hub: ServerHub
  private(set) var record = TranscriptRecord()
  /// Whether a message of the server gets lost, and its connection with it.
  var loses: (Message) -> Bool = { _ in false }
  /// What the server announces.
  var limits = Limits() {
    didSet { hub = (try? Self.prepare(storage, clock, random, limits)) ?? hub }
  }
  private var clientSeed: UInt64 = 100

  /// A stage at 2026-03-01T07:00:00Z, on which nobody has said anything.
  init() throws {
    clock = ManualClock(try Timestamp("2026-03-01T07:00:00Z"))
    random = SeededSource(seed: 5)
    folder = try TemporaryFolder("transcript")
    hub = try Self.prepare(storage, clock, random, Limits())
    try createAccount()
  }

  private static func prepare(
    _ storage: MemoryServerStorage, _ clock: ManualClock, _ random: SeededSource, _ limits: Limits
  ) throws -> ServerHub {
    _ = try storage.write(PrepareFolder(base: "USD", random: random, now: clock.now()))
    return ServerHub(
      service: try ServerService(storage: storage, clock: clock, random: random, limits: limits))
  }

  private func createAccount() throws {
    _ = try storage.write(CreateAccount("anna", random: random, now: clock.now()))
  }

  // MARK: The server

  /// Loses everything; the account is made again, under another id.
  func emptyServer() throws {
    storage = MemoryServerStorage()
    hub = try Self.prepare(storage, clock, random, limits)
    try createAccount()
    record.note("the server has lost everything, and the account was made again")
  }

  func backUp() -> MemoryServerStorage { storage.copied() }

  /// Goes back to what it was.
  func restore(_ backup: MemoryServerStorage) throws {
    storage = backup.copied()
    hub = try Self.prepare(storage, clock, random, limits)
    record.note("the server was put back to an earlier state")
  }

  func importPrices(_ rows: [(String, String)], at time: String) throws {
    var observations = PriceObservations()
    for (asset, price) in rows {
      observations.add(try AssetKey(asset), try Price(price), at: try Timestamp(time))
    }
    _ = try storage.write(ImportPrices(observations, now: clock.now()))
  }

  func importAssets(_ rows: [(String, String)]) throws {
    _ = try storage.write(
      ImportAssets(
        try rows.map { asset, symbol in
          AssetInfo(asset: try AssetKey(asset), symbol: symbol, name: symbol)
        }))
  }

  // MARK: Clients

  /// A new client.
  func client(_ name: String) throws -> StageClient {
    let options = options(name)
    let store = try Client.create(at: path(name), options: options)
    return StageClient(name: name, store: store, options: options)
  }

  /// A copy of a client's store, as a backup of the device would be.
  func copy(_ client: StageClient, as name: String) throws -> StageClient {
    try folder.makeFolder(name)
    try client.store.backUp(to: path(name) + "/data.mdb")
    let options = options(name)
    record.note("the store of \(client.name) was copied, as \(name)")
    return StageClient(
      name: name, store: try Store.open(at: path(name), options.store), options: options)
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func options(_ name: String) -> AppOptions {
    clientSeed += 1
    var options = AppOptions(clock: clock, random: SeededSource(seed: clientSeed))
    options.connect = { [self] _ in connect(name) }
    return options
  }

  /// Writes down what a client holds in the end.
  func end(_ clients: StageClient...) throws {
    for client in clients { try record.end(client) }
  }

  // MARK: Connections

  private func connect(_ name: String) -> any ByteConnection {
    record.connection(name)
    return StageConnection(self, hub.connect(at: .zero))
  }

  fileprivate func take(_ line: [UInt8], on id: ConnectionID) -> [[UInt8]] {
    record.client(line)
    hub.receive(line + [0x0A], on: id, at: .zero)
    hub.advance(at: .zero)
    var answers: [[UInt8]] = []
    while !hub.output(of: id).isEmpty {
      let bytes = Array(hub.output(of: id))
      hub.sent(bytes.count, on: id, at: .zero)
      hub.advance(at: .zero)
      answers += bytes.split(separator: 0x0A).map { Array($0) }
    }
    return answers
  }

  /// Whether a line gets to the client; it is written down.
  fileprivate func give(_ line: [UInt8]) -> Bool {
    let isLost = (try? Message(line: line)).map(loses) ?? false
    record.server(line, isLost: isLost)
    return !isLost
  }

  fileprivate func forget(_ id: ConnectionID) { hub.forget(id) }
  fileprivate func isFinished(_ id: ConnectionID) -> Bool { hub.isFinished(id) }
}

/// A client on a stage.
struct StageClient {
  let name: String
  let store: Store
  let options: AppOptions

  func add(_ amount: String, _ asset: String, to category: String? = nil) throws {
    _ = try store.write { transaction in
      try transaction.save([
        .add(
          try AssetKey(asset), try Amount(amount),
          category: try category.map { try Category(named: $0) })
      ])
    }
  }

  @discardableResult
  func sync() throws -> SyncSummary {
    try Client.sync(store, server: "stdio:here", account: "anna", options: options)
  }
}

/// A connection between a client and the server, line by line.
private final class StageConnection: ByteConnection, @unchecked Sendable {
  private let stage: Stage
  private let id: ConnectionID?
  private var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var arriving: [UInt8] = []
  private var isReset = false
  private var isClosed = false

  init(_ stage: Stage, _ id: ConnectionID?) {
    self.stage = stage
    self.id = id
  }

  func exchange(
    sending bytes: UnsafeRawBufferPointer, receivingInto buffer: UnsafeMutableRawBufferPointer,
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    guard let id, !isClosed else { throw .closed }
    if isReset, arriving.isEmpty { throw .reset }
    framer.append(Array(bytes))
    while !isReset, let line = try? framer.next() {
      for answer in stage.take(line, on: id) where !isReset {
        if stage.give(answer) { arriving += answer + [0x0A] } else { isReset = true }
      }
    }
    var result = ByteExchange(sentCount: bytes.count)
    result.receivedCount = min(buffer.count, arriving.count)
    buffer.copyBytes(from: arriving.prefix(result.receivedCount))
    arriving.removeFirst(result.receivedCount)
    if result.sentCount == 0, result.receivedCount == 0 {
      if isReset { throw .reset }
      result.isEnded = stage.isFinished(id)
      result.isTimedOut = !result.isEnded
    }
    return result
  }

  func finishSending() {}

  func close() {
    if !isClosed, let id { stage.forget(id) }
    isClosed = true
  }
}
