import FolioCrypto
import FolioDomain
import FolioWire
import TestSupport

@testable import FolioServer

/// A prepared storage with a clock and a source of identities that a seed brings back.
final class ServerFixture<Storage: ServerStorage>: Sendable {
  let storage: Storage
  let clock: ManualClock
  let random: SeededSource

  init(_ storage: Storage, seed: UInt64 = 1, at time: String = "2026-03-01T07:00:00Z") throws {
    self.storage = storage
    clock = ManualClock(try Timestamp(time))
    random = SeededSource(seed: seed)
    _ = try storage.write(PrepareFolder(base: "USD", random: random, now: clock.now()))
  }

  var now: Timestamp { clock.now() }

  func advance(milliseconds: Int64) { clock.advance(milliseconds: milliseconds) }

  @discardableResult
  func createAccount(_ name: String = "ann") throws -> AccountRow {
    try storage.write(CreateAccount(name, random: random, now: clock.now()))
  }

  func account(_ name: String = "ann") throws -> AccountRow {
    try facts(name).account
  }

  func facts(_ name: String = "ann", device: DeviceID = DeviceID(1), points: [LogPosition] = [])
    throws -> LogFacts.Answer
  {
    try storage.read(LogFacts(account: name, device: device, points: points))
  }

  @discardableResult
  func push(_ transactions: [PushedTransaction], to name: String = "ann") throws -> LogReceipt {
    let device = transactions.first?.transaction.device ?? DeviceID(1)
    return try submit(
      LogSubmission(account: name, device: device, action: .push(transactions)))
  }

  @discardableResult
  func push(_ transactions: PushedTransaction..., to name: String = "ann") throws -> LogReceipt {
    try push(transactions, to: name)
  }

  @discardableResult
  func submit(_ submission: LogSubmission) throws -> LogReceipt {
    try storage.write(SubmitToLogs([submission], now: clock.now()))[0].get()
  }

  /// The whole log, page by page.
  func entries(_ name: String = "ann", entryLimit: Int = 1000) throws -> [LogEntry] {
    var entries: [LogEntry] = []
    var position = LogPosition(seq: 0, hash: startHash(of: try account(name).id))
    while true {
      let page = try storage.read(
        LogPageQuery(
          account: name, after: position, entryLimit: entryLimit, byteLimit: 1 << 20))
      entries += page.entries.map { $0.logEntry(using: SHA256.self) }
      position = page.last
      if !page.more { return entries }
    }
  }
}

extension ServerFixture where Storage == MemoryServerStorage {
  convenience init(seed: UInt64 = 1, at time: String = "2026-03-01T07:00:00Z") throws {
    try self.init(MemoryServerStorage(), seed: seed, at: time)
  }
}

/// A transaction of device `device` with that sequence and id.
func transaction(
  _ id: UInt128, device: UInt128 = 1, sequence: UInt64, void: Bool = false,
  body: String = #"{"operations":[]}"#
) -> PushedTransaction {
  PushedTransaction(
    Envelope(
      id: TransactionID(id), device: DeviceID(device), deviceSequence: sequence,
      recordedAt: Timestamp(milliseconds: 1_772_348_400_000), body: Array(body.utf8)),
    isVoid: void)
}

extension PushResult {
  var place: EntryPlace? {
    switch self {
    case .ok(let place), .duplicate(let place), .void(let place, _): place
    case .gap, .forked, .retry, .rejected: nil
    }
  }
}
