import FolioCrypto
import FolioDomain
import FolioServer
import FolioSystem
import FolioWire
import TestSupport

/// A server's folder.
final class ServerSubject: Subject {
  let stage: Stage
  var room = Room()
  private var opened: ServerFolder?

  init(_ stage: Stage) { self.stage = stage }

  func server() throws -> ServerFolder {
    guard let opened else { throw Finding("the server's folder is not open") }
    return opened
  }

  func open() throws { try open(room) }

  private func open(_ room: Room) throws {
    close()
    var options = LMDBServerStorage.Options()
    options.mapByteCount = room.mapByteCount
    options.quotaByteCount = room.quotaByteCount
    // So short that a script moves it to its tables by pieces, several times.
    options.journalByteCount = 16_000
    opened = try ServerFolder.open(at: stage.store, options)
  }

  func close() {
    opened?.storage.close()
    opened = nil
  }

  func problems() throws -> [String] {
    try server().verify().problems.map { "\($0.code): \($0.message)" }
  }

  func check() throws -> [String] {
    try ServerFolder.verify(at: stage.store).problems.map { "\($0.code): \($0.message)" }
  }

  func shown() throws -> [String] {
    let storage = try server().storage
    var lines: [String] = []
    for account in Self.accounts {
      let facts = try storage.read(LogFacts(account: account, device: DeviceID(1), points: []))
      let start = LogPosition(
        seq: 0, hash: LogChain.start(account: facts.account.id, using: SHA256.self))
      let page = try storage.read(
        LogPageQuery(account: account, after: start, entryLimit: .max, byteLimit: .max))
      lines += page.entries.map(Self.line)
    }
    let tables = try storage.read(
      TablePageQuery(
        after: TableCursor(epoch: try storage.read(MarketFacts()).market.epoch, revision: 0),
        types: nil, byteLimit: .max, names: AssetNumberCache()))
    lines += tables.tables.map(Self.line)
    return lines
  }

  // As it is sent, or by what has a text: with reflection these lines took most of a proof's time.

  private static func line(_ entry: WireEntry) -> String {
    let page = Page(
      entries: [entry], last: LogPosition(seq: entry.seq, hash: .zero), more: false)
    return String(decoding: Message.reply(RequestID(1), .page(page)).line, as: UTF8.self)
  }

  private static func line(_ table: WireTable) -> String {
    var words = ["\(table.slot) \(table.revision) \(table.isDelta)"]
    for group in table.groups {
      words += group.rows.map { "\(group.type)/\($0.id) \($0.price?.description ?? "none")" }
    }
    return words.joined(separator: " ")
  }

  func repair() throws {}

  func isAbsence(_ error: any Error) -> Bool {
    guard case .missing? = error as? FolderError else { return false }
    return true
  }

  func leavesOutcomeOpen(_ error: any Error) -> Bool {
    guard case .commitFailed? = error as? ServerStorageError else { return false }
    return true
  }

  func isNamed(_ error: any Error) -> Bool {
    switch error {
    case let error as any DomainError: !error.code.isEmpty && !error.message.isEmpty
    case let error as ServerStorageError: !error.code.isEmpty
    // Damage in a key can hide an account, or an entry from the place after it.
    case is LogError: true
    default: false
    }
  }

  func perform(_ step: Int) throws {
    var random = stage.begin(step)
    switch step {
    case 0:
      close()
      _ = try ServerFolder.make(at: stage.store, random: stage.ids, now: stage.clock.now())
        .storage.close()
      try open(Room())
    case 1...Self.accounts.count:
      let create = CreateAccount(
        Self.accounts[step - 1], random: stage.ids, now: stage.clock.now())
      _ = try server().storage.write(create)
    default: try act(step, &random)
    }
  }

  static let accounts = ["ann", "bob"]

  func isWhole(_ step: Int) -> Bool {
    var random = stage.begin(step)
    return (1...Self.accounts.count).contains(step)
      || (step > Self.accounts.count && Act(&random).isWhole)
  }

  func performHalf(_ step: Int) throws {
    guard step > Self.accounts.count else { return }
    _ = try server().storage.write(SetAccountDisabled("bob", false))
  }

  /// What the steps after the accounts' do.
  private enum Act: String {
    case push, pushAgain, prices, assets, publish, backup, disable

    init(_ random: inout SeededRandom) {
      switch random.int(0...15) {
      case 0...8: self = .push
      case 9: self = .pushAgain
      case 10, 11: self = .prices
      case 12: self = .assets
      case 13: self = .publish
      case 14: self = .backup
      default: self = .disable
      }
    }

    /// Whether it is one storage transaction, or none.
    var isWhole: Bool { self != .disable }
  }

  func name(of step: Int) -> String {
    var random = stage.begin(step)
    if step <= Self.accounts.count { return step == 0 ? "make" : "account" }
    return Act(&random).rawValue
  }

  private func act(_ step: Int, _ random: inout SeededRandom) throws {
    switch Act(&random) {
    case .push: try push(&random)
    case .pushAgain: try pushAgain(&random)
    case .prices: try importPrices(&random)
    case .assets: try importAssets(&random)
    case .publish: _ = try server().storage.write(PublishDueTables(now: stage.clock.now()))
    case .backup:
      try Files.removeTree(stage.backup(step))
      _ = try server().backUp(to: stage.backup(step), now: stage.clock.now())
    case .disable:
      for isDisabled in [true, false] {
        _ = try server().storage.write(SetAccountDisabled("bob", isDisabled))
      }
    }
  }
}

extension ServerSubject {
  /// Commits pushes of several devices of both accounts as one.
  private func push(_ random: inout SeededRandom) throws {
    var submissions: [LogSubmission] = []
    for account in Self.accounts {
      for device in 1...UInt128(random.int(1...3)) {
        let device = DeviceID(device)
        let facts = try server().storage.read(
          LogFacts(account: account, device: device, points: []))
        let sequence = facts.acked?.sequence ?? 0
        let count = UInt64(random.int(0...4))
        let pushed = (0..<count).map { number in
          transaction(device, sequence + 1 + number, &random)
        }
        submissions.append(
          LogSubmission(account: account, device: device, action: .push(pushed)))
      }
    }
    for result in try server().storage.write(
      SubmitToLogs(submissions, now: stage.clock.now()))
    {
      _ = try result.get()
    }
  }

  /// Sends what the log has already, as after a lost reply, with one that is new.
  private func pushAgain(_ random: inout SeededRandom) throws {
    let device = DeviceID(1)
    let facts = try server().storage.read(LogFacts(account: "ann", device: device, points: []))
    guard let acked = facts.acked else { return }
    var again = transaction(device, acked.sequence, &random)
    again.transaction.id = acked.id
    let new = transaction(device, acked.sequence + 1, &random)
    let submission = LogSubmission(
      account: "ann", device: device, action: .push([again, new]))
    let results = try server().storage.write(
      SubmitToLogs([submission], now: stage.clock.now()))
    _ = try results.first?.get()
  }

  private func transaction(
    _ device: DeviceID, _ sequence: UInt64, _ random: inout SeededRandom
  ) -> PushedTransaction {
    let text = String(repeating: "x", count: random.int(0...900))
    let isVoid = random.one(in: 12)
    let body = isVoid ? "{\"reason\":\"tooOdd\"}" : "{\"operations\":[],\"t\":\"\(text)\"}"
    return PushedTransaction(
      Envelope(
        id: TransactionID(stage.ids.next128()), device: device, deviceSequence: sequence,
        recordedAt: stage.clock.now(), body: Array(body.utf8)), isVoid: isVoid)
  }

  /// Imports prices, some of slots that have not begun, some that correct others.
  private func importPrices(_ random: inout SeededRandom) throws {
    var observations = PriceObservations()
    for _ in 0..<random.int(1...30) {
      guard let price = Price(mantissa: Int64(random.int(1...999)), scale: 2) else { continue }
      observations.add(
        random.asset(), price,
        at: stage.clock.now().adding(
          milliseconds: Int64(random.int(-200_000_000...40_000_000))))
    }
    _ = try server().storage.write(ImportPrices(observations, now: stage.clock.now()))
  }

  private func importAssets(_ random: inout SeededRandom) throws {
    let infos = (0..<random.int(1...12)).map { number in
      AssetInfo(
        asset: AssetKey(
          type: AssetType(unchecked: "stock"), id: AssetID(unchecked: "s\(number)")),
        symbol: "S\(random.int(0...9))", name: "N", rank: number + 1)
    }
    _ = try server().storage.write(ImportAssets(infos, replacing: random.one(in: 3)))
  }
}
