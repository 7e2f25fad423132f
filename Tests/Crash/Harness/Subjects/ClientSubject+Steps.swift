import FolioCrypto
import FolioDomain
import FolioStore
import TestSupport

extension ClientSubject {
  /// Saves a few edits; what the rules refuse changes nothing.
  func save(_ random: inout SeededRandom) throws {
    var edits: [Edit] = []
    for _ in 0..<random.int(1...4) { edits.append(random.edit()) }
    do {
      try store().write { _ = try $0.save(edits) }
    } catch let error as any DomainError where !(error is StoreError) {
      return
    }
  }

  /// Reads a page: some of what is pending, and what other devices did.
  func readPage(_ foreignCount: Int, _ random: inout SeededRandom) throws {
    let page = try nextPage(foreignCount, &random)
    guard let last = page.last else { return }
    let stable = keepsLog ? nil : last.entry.seq / 2
    try store().write { _ = try $0.apply(page, stable: stable) }
  }

  private func nextPage(_ foreignCount: Int, _ random: inout SeededRandom) throws
    -> [ChainedEntry]
  {
    let now = stage.clock.now()
    return try store().read { state in
      let status = try state.status()
      guard let account = status.account, let log = status.log else { return [] }
      let start = LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
      var page = PageBuilder(after: status.position ?? start)
      for pending in try state.pending(
        after: 0, maxCount: random.int(0...3), maxByteCount: .max)
      {
        page.append(pending.transaction, at: now, pending.isVoid ? .void : .accepted)
      }
      for _ in 0..<random.int(0...foreignCount) {
        let device = DeviceID(UInt128(random.int(9...11)))
        let sequence =
          try page.sequences[device] ?? state.deviceState(device)?.sequence ?? 0
        let operations = (0..<random.int(1...3)).map { _ in random.operation() }
        let body = TransactionBody(
          seen: Seen(log: log, position: status.position ?? start), operations: operations)
        page.append(
          Envelope(
            id: TransactionID(stage.ids.next128()), device: device, deviceSequence: sequence + 1,
            recordedAt: now.adding(milliseconds: Int64(random.int(-90_000_000...0))),
            body: try body.encoded()), at: now)
      }
      return page.entries
    }
  }

  func readPrices(_ random: inout SeededRandom) throws {
    let current = Slot(containing: stage.clock.now())
    let known = try store().read { try $0.marketPosition()?.revision ?? 0 }
    var tables: [PriceTable] = []
    for back in 0..<Int64(random.int(1...4)) {
      var prices: [AssetKey: Price] = [:]
      for _ in 0..<4 {
        prices[random.asset()] = Price(mantissa: Int64(random.int(1...50)), scale: 1)
      }
      tables.append(
        PriceTable(
          slot: Slot(index: current.index - back * 3),
          prices: prices.sorted { $0.key < $1.key }.map {
            PricedAsset(asset: $0.key, price: $0.value)
          }))
    }
    let page = PriceTablesPage(
      position: MarketPosition(
        epoch: 1, revision: known + UInt64(tables.count), through: current),
      base: "USD", tables: tables, isLast: true)
    try store().write { _ = try $0.apply(page) }
  }

  /// Reads an asset table in two pages, each a storage transaction.
  func readAssets(_ random: inout SeededRandom) throws {
    let tag = Hash256(words: (random.next(), 0, 0, 0))
    let rows = (0..<6).map { number in
      AssetInfo(
        asset: AssetKey(
          type: AssetType(unchecked: "stock"), id: AssetID(unchecked: "s\(number)")),
        symbol: "S\(random.int(0...9))", name: "N")
    }
    let pages = [
      AssetsPage(tag: tag, assets: Array(rows[..<3]), isFirst: true, isLast: false),
      AssetsPage(tag: tag, assets: Array(rows[3...]), isFirst: false, isLast: true),
    ]
    for page in pages { try store().write { try $0.apply(page) } }
  }

  func keepWords(_ step: Int) throws {
    try store().write { transaction in
      try transaction.setSetting("step", to: Array("\(step)".utf8))
      try transaction.setUnsavedEdit([UInt8](repeating: UInt8(step % 251), count: 700))
    }
  }

  /// A pending transaction can never be accepted.
  func giveUp() throws {
    let pending = try store().read {
      try $0.pending(after: 0, maxCount: 1, maxByteCount: .max)
    }
    guard let first = pending.first else { return }
    try store().write { try $0.void(first.transaction.id, reason: "tooOdd") }
  }

  /// Reads the log beside the state in two storage transactions, and swaps in a third.
  func readLogAnew() throws {
    guard keepsLog else { return }
    let (status, entries) = try store().read { state in
      (
        try state.status(),
        try state.keptEntries(after: 0, maxCount: .max, maxByteCount: .max)
      )
    }
    guard let log = status.log, status.position != nil else { return }
    try store().write { try $0.beginRebuild() }
    try store().write { try $0.stage(entries) }
    try store().write { _ = try $0.finishRebuild(log: log, stable: status.stable) }
  }
}

/// Entries that follow a place of a log.
private struct PageBuilder {
  private(set) var entries: [ChainedEntry] = []
  private(set) var sequences: [DeviceID: UInt64] = [:]
  private var head: LogPosition

  init(after head: LogPosition) { self.head = head }

  mutating func append(
    _ transaction: Envelope, at acceptedAt: Timestamp, _ kind: EntryKind = .accepted
  ) {
    let entry = LogEntry(
      seq: head.seq + 1, acceptedAt: acceptedAt, kind: kind, transaction: transaction,
      bodyHash: SHA256.hash(of: transaction.body))
    let hash = LogChain.next(after: head.hash, entry, using: SHA256.self)
    entries.append(ChainedEntry(entry, hash: hash))
    sequences[transaction.device] = transaction.deviceSequence
    head = LogPosition(seq: entry.seq, hash: hash)
  }
}

extension SeededRandom {
  /// An edit of any kind; most that the state allows, some that it does not.
  fileprivate mutating func edit() -> Edit {
    switch int(0...9) {
    case 0...3: .add(asset(), positiveAmount(), category: one(in: 2) ? category() : nil)
    case 4: .set(asset(), positiveAmount())
    case 5: .move(asset(), to: category())
    case 6: .delete(asset())
    case 7: .renameCategory(category().key, to: category())
    case 8: .put(put())
    default: .deleteDocument(documentKey())
    }
  }
}
