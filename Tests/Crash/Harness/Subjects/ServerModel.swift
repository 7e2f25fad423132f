import FolioCrypto
import FolioDomain
import FolioServer
import FolioWire

/// What a server has to answer, in plain dictionaries.
struct ServerModel {
  /// An account with its log.
  struct Log {
    let account: AccountID
    var entries: [LogEntry] = []
    var head: LogPosition
    var isDisabled = false

    init(account: AccountID) {
      self.account = account
      head = LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
    }

    mutating func append(_ entry: LogEntry) {
      entries.append(entry)
      head = LogPosition(
        seq: entry.seq, hash: LogChain.next(after: head.hash, entry, using: SHA256.self))
    }
  }

  /// A price, and how long before its table's boundary it was seen.
  struct Seen {
    var price: Price
    var age: Int64
  }

  var logs: [String: Log] = [:]
  private(set) var tables: [Slot: [AssetKey: Seen]] = [:]
  /// The revision of each table that has been told.
  private(set) var revisions: [Slot: UInt64] = [:]
  private(set) var revision: UInt64 = 0
  /// Whether pushes are missed: the control of the comparison.
  var isForgetful = false

  /// What pushed transactions come to, one after the other.
  mutating func push(_ pushed: [PushedTransaction], to name: String, at now: Timestamp)
    -> [PushResult]
  {
    pushed.map { push($0, to: name, at: now) }
  }

  private mutating func push(_ pushed: PushedTransaction, to name: String, at now: Timestamp)
    -> PushResult
  {
    guard var log = logs[name] else { return .retry }
    var envelope = pushed.transaction
    let own = log.entries.filter { $0.transaction.device == envelope.device }
    if let known = own.first(where: {
      $0.transaction.deviceSequence == envelope.deviceSequence
    }) {
      return Self.known(known, envelope, log)
    }
    if envelope.deviceSequence == 0 { return .rejected(reason: "sequence_zero") }
    guard envelope.deviceSequence == UInt64(own.count + 1) else { return .gap }
    let place = EntryPlace(
      seq: log.head.seq + 1, acceptedAt: max(now, log.entries.last?.acceptedAt ?? now))
    var kind = pushed.isVoid ? EntryKind.void : .accepted
    var result = pushed.isVoid ? PushResult.void(place, reason: "placeholder") : .ok(place)
    if let first = log.entries.first(where: { $0.transaction.id == envelope.id }) {
      kind = .void
      envelope.body = Array("{\"first\":\(first.seq),\"reason\":\"duplicate\"}".utf8)
      result = .void(place, reason: "duplicate")
    }
    log.append(
      LogEntry(
        seq: place.seq, acceptedAt: place.acceptedAt, kind: kind, transaction: envelope,
        bodyHash: SHA256.hash(of: envelope.body)))
    if !isForgetful { logs[name] = log }
    return result
  }

  private static func known(_ known: LogEntry, _ envelope: Envelope, _ log: Log) -> PushResult {
    guard known.transaction.id == envelope.id else { return .forked }
    let place = EntryPlace(seq: known.seq, acceptedAt: known.acceptedAt)
    guard known.kind == .void else { return .duplicate(place) }
    let first = log.entries.first { $0.transaction.id == envelope.id }
    return .void(place, reason: first?.seq == known.seq ? "placeholder" : "duplicate")
  }

  /// Gives a revision to each table whose slot has begun and that has none.
  mutating func publish(at now: Timestamp) {
    for slot in tables.keys.sorted() where revisions[slot] == nil && slot.start <= now {
      revision += 1
      revisions[slot] = revision
    }
  }

  /// Lays prices over those of their tables; a table that they change is told anew.
  mutating func importPrices(_ seen: [(AssetKey, Price, Timestamp)], at now: Timestamp) {
    publish(at: now)
    var changed: Set<Slot> = []
    for (asset, price, time) in seen {
      let slot = Slot(index: Slot(containing: time.adding(milliseconds: -1)).index + 1)
      let age = slot.start.milliseconds - time.milliseconds
      let old = tables[slot]?[asset]
      if let old, old.age < age { continue }
      if before[slot] == nil { before[slot] = tables[slot] ?? [:] }
      tables[slot, default: [:]][asset] = Seen(price: price, age: age)
      changed.insert(slot)
    }
    for slot in changed.sorted() {
      let (old, new) = (before[slot] ?? [:], tables[slot] ?? [:])
      guard old.mapValues(\.price) != new.mapValues(\.price) else { continue }
      guard slot.start <= now || revisions[slot] != nil else { continue }
      revision += 1
      revisions[slot] = revision
    }
    before = [:]
  }

  /// The tables that an import changes, as they were before it.
  private var before: [Slot: [AssetKey: Seen]] = [:]

  /// The tables that have been told, in the order of their revisions.
  var told: [(revision: UInt64, slot: Slot, prices: [AssetKey: Price])] {
    revisions.sorted { $0.value < $1.value }.map { slot, revision in
      (revision, slot, (tables[slot] ?? [:]).mapValues(\.price))
    }
  }
}
