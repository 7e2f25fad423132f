import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioServer

/// The storage on disk against the one in memory: the same answers and the same rows, step by step.
struct StorageModelTests {
  @Test(arguments: 0..<4)
  func bothStoragesAnswerAlike(run: Int) throws {
    var random = SeededRandom("bothStoragesAnswerAlike, run \(run)")
    let folder = try TemporaryFolder("server")
    // Some with a journal that is moved now and then, some with one that holds nothing.
    var options = LMDBServerStorage.Options()
    options.journalByteCount = [2 << 20, 4_000, 0, 1_000][run]
    var disk = try LMDBServerStorage(at: folder.path, options)
    let memory = MemoryServerStorage()
    var steps = StepSource()
    for number in 0..<250 {
      let step = steps.next(&random)
      let onDisk = step.outcome(on: disk)
      let inMemory = step.outcome(on: memory)
      #expect(onDisk == inMemory, "step \(number), seed \(random.seed)")
      if onDisk != inMemory { return }
      if random.one(in: 25) {
        #expect(try disk.read(AllRows()) == memory.read(AllRows()), "rows after step \(number)")
      }
      if random.one(in: 20) { try disk.tidy() }
      if random.one(in: 50) {
        disk.close()
        disk = try LMDBServerStorage(at: folder.path, options)
      }
    }
    #expect(try disk.read(AllRows()) == memory.read(AllRows()))
    #expect(steps.kinds.count >= 9, "the run had too few kinds of steps: \(steps.kinds)")
  }
}

/// Every row there is.
struct AllRows: ServerQuery {
  func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> [[[UInt8]]]
  {
    var all: [[[UInt8]]] = []
    for space in Space.allCases {
      try transaction.scan(space, .all, .ascending) { key, row in
        all.append([[UInt8(space.rawValue)], key.copied, row.copied])
        return .next
      }
    }
    return all
  }
}

/// Some rows of a range.
struct SomeRows: ServerQuery {
  let space: Space
  let range: RowRange
  let order: RowOrder
  let limit: Int

  func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> [[[UInt8]]]
  {
    var rows: [[[UInt8]]] = []
    try transaction.scan(space, range, order) { key, row in
      rows.append([key.copied, row.copied])
      return rows.count < limit ? .next : .stop
    }
    return rows
  }
}

/// A change that writes, and then fails.
private struct FailingChange: ServerChange {
  struct Failure: Error {}
  let seed: UInt8

  func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws -> Int {
    try transaction.put(.meta, [1, seed], [seed])
    try transaction.delete(.meta, ServerFormat.key)
    try transaction.delete(.accounts, AccountRow.key("a0"))
    throw Failure()
  }
}

/// One step, and what a storage makes of it.
private struct Step {
  let kind: String
  let run: (any ServerStorage) throws -> any Sendable

  func outcome(on storage: some ServerStorage) -> String {
    do {
      return "\(kind): \(try run(storage))"
    } catch {
      return "\(kind) threw \(error)"
    }
  }
}

/// Random steps, most of which mean something.
private struct StepSource {
  private let source = SeededSource(seed: 7)
  private var now = Timestamp(milliseconds: 1_772_348_400_000)
  private var nextID: UInt128 = 1
  private var sequences: [String: [UInt128: UInt64]] = [:]
  private(set) var kinds: Set<String> = []
  private var isPrepared = false

  mutating func next(_ random: inout SeededRandom) -> Step {
    now = now.adding(milliseconds: Int64(random.int(-3_600_000...30_000_000)))
    let step = isPrepared ? make(&random) : prepare()
    kinds.insert(step.kind)
    return step
  }

  private mutating func prepare() -> Step {
    isPrepared = true
    let change = PrepareFolder(base: "USD", random: source, now: now)
    return Step(kind: "prepare") { try $0.write(change) }
  }

  private mutating func make(_ random: inout SeededRandom) -> Step {
    let name = "a\(random.int(0...2))"
    switch random.int(0...13) {
    case 0:
      let change = CreateAccount(name, random: source, now: now)
      return Step(kind: "create") { try $0.write(change) }
    case 1:
      let change = SetAccountDisabled(name, random.one(in: 3))
      return Step(kind: "disable") { try $0.write(change) }
    case 2:
      return Step(kind: "list") { try $0.read(AccountList()) }
    case 3:
      let change = prices(&random)
      return Step(kind: "prices") { try $0.write(change) }
    case 4:
      let change = PublishDueTables(now: now)
      return Step(kind: "publish") { try $0.write(change) }
    case 5:
      let change = assets(&random)
      return Step(kind: "assets") { try $0.write(change) }
    case 6:
      let seed = UInt8(random.int(0...255))
      return Step(kind: "failing") { try $0.write(FailingChange(seed: seed)) }
    case 7:
      return reading(name, &random)
    case 8:
      let after = UInt64(random.int(0...40))
      let byteLimit = random.int(1...2000)
      return Step(kind: "tables") { storage in
        let epoch = try storage.read(MarketFacts()).market.epoch
        return try storage.read(
          TablePageQuery(
            after: TableCursor(epoch: epoch, revision: after), byteLimit: byteLimit,
            names: AssetNumberCache()))
      }
    case 9:
      let query = LeaderboardQuery(offset: random.int(0...3), limit: random.int(1...5))
      return Step(kind: "leaderboard") { try $0.read(query) }
    default:
      let change = pushes(name, &random)
      return Step(kind: "push") { try $0.write(change) }
    }
  }

  /// Pages, facts and hashes of a log.
  private func reading(_ name: String, _ random: inout SeededRandom) -> Step {
    let entryLimit = random.int(1...9)
    let device = DeviceID(UInt128(random.int(1...3)))
    let upTo = UInt64(random.int(0...9))
    return Step(kind: "read") { storage in
      let facts = try storage.read(LogFacts(account: name, device: device, points: []))
      let start = LogPosition(seq: 0, hash: startHash(of: facts.account.id))
      let page = try storage.read(
        LogPageQuery(
          account: name, after: start, entryLimit: entryLimit, byteLimit: 5000,
          own: OwnEntries(device: device, upTo: upTo)))
      let points = [start, page.last]
      let known = try storage.read(LogFacts(account: name, device: device, points: points))
      let years = try storage.read(LogYears(account: name))
      return "\(facts) \(page) \(known) \(years)"
    }
  }

  /// Up to four requests, mostly with the next transactions of a device, some with old ones.
  private mutating func pushes(_ name: String, _ random: inout SeededRandom) -> SubmitToLogs {
    var submissions: [LogSubmission] = []
    for _ in 0..<random.int(1...4) {
      let device = UInt128(random.int(1...3))
      var transactions: [PushedTransaction] = []
      for _ in 0..<random.int(1...5) {
        var sequence = (sequences[name]?[device] ?? 0) + 1
        var id = nextID
        switch random.int(0...11) {
        case 0: sequence = UInt64(random.int(0...Int(sequence) + 2))
        case 1: id = UInt128(random.int(1...Int(nextID)))
        case 2: sequence += 1
        default:
          sequences[name, default: [:]][device] = sequence
        }
        nextID += 1
        transactions.append(
          transaction(id, device: device, sequence: sequence, void: random.one(in: 15)))
      }
      submissions.append(
        LogSubmission(
          account: name, device: DeviceID(device), action: .push(transactions)))
    }
    return SubmitToLogs(submissions, now: now)
  }

  private func prices(_ random: inout SeededRandom) -> ImportPrices {
    var observations = PriceObservations()
    for _ in 0..<random.int(1...30) {
      let key = asset(random.int(0...7))
      guard let price = Price(mantissa: Int64(random.int(0...3)), scale: random.int(0...2)) else {
        continue
      }
      let time = now.adding(milliseconds: Int64(random.int(-90_000_000...60_000_000)))
      observations.add(key, price, at: time)
    }
    return ImportPrices(observations, now: now)
  }

  private func assets(_ random: inout SeededRandom) -> ImportAssets {
    let places = Set((0..<random.int(1...5)).map { _ in random.int(0...7) })
    let infos = places.sorted().map { place in
      AssetInfo(
        asset: asset(place), symbol: "S\(place)", name: "N\(random.int(0...2))",
        rank: random.one(in: 3) ? nil : random.int(1...4))
    }
    return ImportAssets(infos, replacing: random.one(in: 3))
  }

  private func asset(_ place: Int) -> AssetKey {
    AssetKey(
      type: AssetType(unchecked: place % 2 == 0 ? "crypto" : "stock"),
      id: AssetID(unchecked: "id\(place)"))
  }
}
