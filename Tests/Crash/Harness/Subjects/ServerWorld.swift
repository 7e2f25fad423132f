import FolioCrypto
import FolioDomain
import FolioServer
import FolioSystem
import FolioWire
import TestSupport

/// A server's storage, in a folder or in memory, and the model that it is held against.
struct ServerWorld {
  private var random: SeededRandom
  private let scratch: TemporaryFolder?
  private var folder: ServerFolder?
  private var storage: any ServerStorage
  private let ids: SeededSource
  private var now = Timestamp(milliseconds: 1_772_348_400_000)
  private var nextID: UInt128 = 1
  private(set) var model = ServerModel()

  init(seed: UInt64, inMemory: Bool, isForgetful: Bool) throws {
    random = SeededRandom(seed: seed)
    ids = SeededSource(seed: seed)
    if inMemory {
      scratch = nil
      storage = MemoryServerStorage()
      _ = try storage.write(PrepareFolder(base: "USD", random: ids, now: now))
    } else {
      let scratch = try TemporaryFolder("server-world")
      let folder = try ServerFolder.make(at: scratch.path + "/server", random: ids, now: now)
      self.scratch = scratch
      self.folder = folder
      storage = folder.storage
    }
    model.isForgetful = isForgetful
    for name in ["ann", "bob"] { try create(name) }
  }

  private mutating func create(_ name: String) throws {
    let account = try storage.write(CreateAccount(name, random: ids, now: now))
    model.logs[name] = ServerModel.Log(account: account.id)
  }

  /// Does the operation of that number, and holds the answer against the model's.
  mutating func step(_ number: Int) throws {
    // A server's clock may go back.
    now = now.adding(milliseconds: Int64(random.int(-3_600_000...9_000_000)))
    do {
      switch random.int(0...19) {
      case 0...10: try push()
      case 11, 12: try importPrices()
      case 13: try publish()
      case 14: try disable()
      case 15: try reopen()
      case 16, 17: try readPage()
      case 18: try compareTables()
      default: try compareLogs()
      }
    } catch {
      throw Finding("seed \(random.seed), operation \(number): \(error)")
    }
  }

  /// Compares all there is, and checks every rule.
  func finish() throws {
    do {
      try compareLogs()
      try compareTables()
      if let problem = try storage.read(VerifyStorage()).problems.first {
        throw Finding("a rule is broken: \(problem)")
      }
      folder?.storage.close()
    } catch {
      throw Finding("seed \(random.seed), at the end: \(error)")
    }
  }

  private func same<T: Equatable>(_ found: T, _ expected: T, _ what: String) throws {
    if found != expected { throw Finding("\(what): \(found) and not \(expected)") }
  }

  // MARK: Logs

  /// Commits requests of several devices, some of them sent before, or out of turn.
  private mutating func push() throws {
    var submissions: [LogSubmission] = []
    for _ in 0..<random.int(1...3) {
      let name = random.pick(["ann", "bob", "nobody"])
      let device = DeviceID(UInt128(random.int(1...3)))
      submissions.append(
        LogSubmission(account: name, device: device, action: .push(pushed(name, device))))
    }
    let results = try storage.write(SubmitToLogs(submissions, now: now))
    for (submission, result) in zip(submissions, results) { try compare(submission, result) }
  }

  private mutating func pushed(_ name: String, _ device: DeviceID) -> [PushedTransaction] {
    let own = (model.logs[name]?.entries ?? []).filter { $0.transaction.device == device }
    var sequence = UInt64(own.count)
    return (0..<random.int(1...4)).map { _ in
      sequence += 1
      nextID += 1
      var envelope = Envelope(
        id: TransactionID(nextID), device: device, deviceSequence: sequence, recordedAt: now,
        body: Array("{\"operations\":[],\"t\":\(random.int(0...9))}".utf8))
      switch random.int(0...15) {
      case 0: envelope.deviceSequence = UInt64(random.int(0...Int(sequence) + 2))
      case 1: envelope.id = TransactionID(UInt128(random.int(1...Int(nextID))))
      case 2: if let old = own.randomElement(using: &random) { envelope = old.transaction }
      default: break
      }
      return PushedTransaction(envelope, isVoid: random.one(in: 12))
    }
  }

  private mutating func compare(
    _ submission: LogSubmission, _ result: Result<LogReceipt, LogError>
  ) throws {
    guard let log = model.logs[submission.account], !log.isDisabled,
      case .push(let pushed) = submission.action
    else {
      guard case .failure(.unknownAccount) = result else {
        throw Finding("a closed account took something: \(result)")
      }
      return
    }
    let expected = model.push(pushed, to: submission.account, at: now)
    let receipt = try result.get()
    try same(receipt.results, expected, "what a push came to")
    try same(receipt.head, model.logs[submission.account]?.head, "the head after a push")
    let last = model.logs[submission.account]?.entries.last {
      $0.transaction.device == submission.device
    }
    try same(receipt.acked?.id, last?.transaction.id, "the acknowledged transaction")
    try same(receipt.acked?.sequence, last?.transaction.deviceSequence, "its sequence")
  }

  private mutating func disable() throws {
    let isDisabled = random.one(in: 3)
    _ = try storage.write(SetAccountDisabled("bob", isDisabled))
    model.logs["bob"]?.isDisabled = isDisabled
  }

  /// Reads on from any place of a log.
  private mutating func readPage() throws {
    guard let log = model.logs["ann"] else { return }
    let start = random.int(0...log.entries.count)
    var place = LogPosition(seq: 0, hash: LogChain.start(account: log.account, using: SHA256.self))
    for entry in log.entries.prefix(start) {
      place = LogPosition(
        seq: entry.seq, hash: LogChain.next(after: place.hash, entry, using: SHA256.self))
    }
    let limit = random.int(1...9)
    let page = try storage.read(
      LogPageQuery(account: "ann", after: place, entryLimit: limit, byteLimit: .max))
    let expected = log.entries.dropFirst(start).prefix(limit)
    try same(page.entries.map { $0.logEntry(using: SHA256.self) }, Array(expected), "a page")
    try same(page.more, start + limit < log.entries.count, "whether there is more")
  }

  private func compareLogs() throws {
    for (name, log) in model.logs where !log.isDisabled {
      let facts = try storage.read(LogFacts(account: name, device: DeviceID(1), points: []))
      try same(facts.account.head, log.head, "the head")
      let start = LogPosition(
        seq: 0, hash: LogChain.start(account: log.account, using: SHA256.self))
      let page = try storage.read(
        LogPageQuery(account: name, after: start, entryLimit: .max, byteLimit: .max))
      try same(page.entries.map { $0.logEntry(using: SHA256.self) }, log.entries, "the log")
    }
  }

  // MARK: Prices

  private mutating func importPrices() throws {
    var observations = PriceObservations()
    var seen: [(AssetKey, Price, Timestamp)] = []
    var moments: Set<Int> = []
    for _ in 0..<random.int(1...12) {
      let minutes = random.int(-3_000...900)
      guard moments.insert(minutes).inserted,
        let price = Price(mantissa: Int64(random.int(0...4)), scale: 0)
      else { continue }
      let asset = random.asset()
      let time = now.adding(milliseconds: Int64(minutes) * 60_000)
      observations.add(asset, price, at: time)
      seen.append((asset, price, time))
    }
    _ = try storage.write(ImportPrices(observations, now: now))
    model.importPrices(seen.sorted { $0.2 < $1.2 }, at: now)
    try same(
      try storage.read(MarketFacts()).market.revision, model.revision, "the market's revision")
  }

  private mutating func publish() throws {
    _ = try storage.write(PublishDueTables(now: now))
    model.publish(at: now)
  }

  private func compareTables() throws {
    let market = try storage.read(MarketFacts()).market
    try same(market.revision, model.revision, "the market's revision")
    let page = try storage.read(
      TablePageQuery(
        after: TableCursor(epoch: market.epoch, revision: 0), types: nil, byteLimit: .max,
        names: AssetNumberCache()))
    let told = model.told
    try same(page.tables.map(\.revision), told.map(\.revision), "the revisions")
    try same(page.tables.map(\.slot), told.map(\.slot), "the slots of the tables")
    var prices: [AssetKey: Price] = [:]
    for (wire, expected) in zip(page.tables, told) {
      if !wire.isDelta { prices = [:] }
      for group in wire.groups {
        for row in group.rows { prices[AssetKey(type: group.type, id: row.id)] = row.price }
      }
      try same(prices, expected.prices, "the table of \(wire.slot)")
    }
  }

  private mutating func reopen() throws {
    guard let old = folder else { return }
    old.storage.close()
    var options = LMDBServerStorage.Options()
    options.mapByteCount = 1 << 28
    let opened = try ServerFolder.open(at: old.path, options)
    folder = opened
    storage = opened.storage
  }
}
