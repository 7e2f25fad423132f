import FolioDomain
import FolioStore
import FolioSystem
import LMDB
import TestSupport

/// A client's store.
final class ClientSubject: Subject {
  let stage: Stage
  var room = Room()
  private var opened: Store?

  init(_ stage: Stage) { self.stage = stage }

  var options: StoreOptions {
    var options = StoreOptions(clock: stage.clock, random: stage.ids)
    options.mapByteCount = room.mapByteCount
    options.quotaByteCount = room.quotaByteCount
    if let countMax = room.outboxCountMax { options.outbox.countMax = countMax }
    return options
  }

  func store() throws -> Store {
    guard let opened else { throw Finding("the store is not open") }
    return opened
  }

  func open() throws {
    close()
    opened = try Store.open(at: stage.store, options)
  }

  func close() {
    opened?.close()
    opened = nil
  }

  func problems() throws -> [String] {
    try store().verify().problems.map { "\($0.code) in \($0.space) \($0.place)" }
  }

  func check() throws -> [String] {
    try Store.verify(at: stage.store, options).problems.map {
      "\($0.code) in \($0.space) \($0.place)"
    }
  }

  func shown() throws -> [String] {
    try store().read { state in
      let held = try state.holdings(includesHidden: true).map(\.holding)
      let pending = try state.pending(after: 0, maxCount: .max, maxByteCount: .max)
      var lines = held.map { "\($0.asset) \($0.amount.decimalText) \($0.category.spelling)" }
      lines += pending.map {
        "\($0.transaction.id) \(String(decoding: $0.transaction.body, as: UTF8.self))"
      }
      for collection in ["notes", "record"] {
        var query = DocumentQuery(CollectionName(unchecked: collection))
        query.includesDeleted = true
        lines += try state.documents(query).map { document in
          let values = document.values.map { "\($0)" }
          return "\(document.key) \(document.isDeleted) \(document.updatedAt) \(values)"
        }
      }
      return lines
    }
  }

  func repair() throws { _ = try store().repair() }

  func isAbsence(_ error: any Error) -> Bool {
    guard case .notAStore? = error as? StoreError else { return false }
    return true
  }

  func leavesOutcomeOpen(_ error: any Error) -> Bool {
    guard case .storage(.commitFailed)? = error as? StoreError else { return false }
    return true
  }

  func isNamed(_ error: any Error) -> Bool {
    (error as? any DomainError).map { !$0.code.isEmpty && !$0.message.isEmpty } ?? false
  }

  func perform(_ step: Int) throws {
    var random = stage.begin(step)
    switch step {
    case 0:
      close()
      opened = try Store.create(at: stage.store, options)
    case 1:
      try store().write {
        try $0.join(
          account: AccountID(Hash256(words: (stage.seed, 2, 3, 4))), server: 1, log: LogID(77))
      }
    default: try act(step, &random)
    }
  }

  func isWhole(_ step: Int) -> Bool {
    var random = stage.begin(step)
    return step == 1 || (step > 1 && Act(&random).isWhole)
  }

  func performHalf(_ step: Int) throws {
    try store().write { try $0.setSetting("half", to: Array("\(step)".utf8)) }
  }

  /// What the steps after the first two do.
  private enum Act: String {
    case save, page, longPage, prices, assets, snapshots, words, giveUp, identity, logAnew
    case backup, repair

    init(_ random: inout SeededRandom) {
      switch random.int(0...21) {
      case 0...6: self = .save
      case 7...11: self = .page
      case 12: self = .longPage
      case 13: self = .prices
      case 14: self = .assets
      case 15: self = .snapshots
      case 16: self = .words
      case 17: self = .giveUp
      case 18: self = .identity
      case 19: self = .logAnew
      case 20: self = .backup
      default: self = .repair
      }
    }

    /// Whether it is one storage transaction, or none.
    var isWhole: Bool {
      switch self {
      case .assets, .logAnew, .repair: false
      default: true
      }
    }
  }

  func name(of step: Int) -> String {
    var random = stage.begin(step)
    return step == 0 ? "make" : step == 1 ? "join" : Act(&random).rawValue
  }

  private func act(_ step: Int, _ random: inout SeededRandom) throws {
    switch Act(&random) {
    case .save: try save(&random)
    case .page: try readPage(random.int(1...5), &random)
    case .longPage: try readPage(60, &random)
    case .prices: try readPrices(&random)
    case .assets: try readAssets(&random)
    case .snapshots: _ = try store().makeDueSnapshots()
    case .words: try keepWords(step)
    case .giveUp: try giveUp()
    case .identity: try store().write { _ = try $0.takeNewIdentity() }
    case .logAnew: try readLogAnew()
    case .backup: try backUp(step)
    case .repair: try damageAndRepair()
    }
  }

  /// Whether a script's log is kept whole, so that the store can be made anew from it.
  var keepsLog: Bool { stage.seed % 2 == 0 }

  private func backUp(_ step: Int) throws {
    try Files.removeFile(stage.backup(step))
    try store().backUp(to: stage.backup(step))
  }

  /// Takes a derived record away, behind the store's back, and lets the store mend itself.
  private func damageAndRepair() throws {
    guard keepsLog else { return try keepWords(0) }
    close()
    do {
      try removeCategory()
    } catch let error as StorageError {
      throw StoreError.storage(error)
    }
    try open()
    try repair()
  }

  private func removeCategory() throws {
    let space = "domain.portfolio/categories"
    var engine = Environment.Options(databases: [space])
    engine.mapByteCount = options.mapByteCount
    let environment = try Environment.open(at: stage.store, engine)
    defer { environment.close() }
    let database = environment.database(space)
    try environment.write { transaction in
      if let last = try transaction.last(database) {
        try transaction.delete(database, last.key)
      }
    }
  }
}
