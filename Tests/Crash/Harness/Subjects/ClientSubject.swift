import FolioDomain
import FolioStore
import FolioSystem
import LMDB
import TestSupport

/// A client's store.
final class ClientSubject: Subject {
  let stage: Stage
  private var opened: Store?

  init(_ stage: Stage) { self.stage = stage }

  var options: StoreOptions {
    var options = StoreOptions(clock: stage.clock, random: stage.ids)
    options.mapByteCount = 1 << 28
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

  func repair() throws { _ = try store().repair() }

  func isAbsence(_ error: any Error) -> Bool {
    guard case .notAStore? = error as? StoreError else { return false }
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
    return step > 0 && ![14, 19, 21].contains(random.int(0...21))
  }

  func performHalf(_ step: Int) throws {
    try store().write { try $0.setSetting("half", to: Array("\(step)".utf8)) }
  }

  private func act(_ step: Int, _ random: inout SeededRandom) throws {
    switch random.int(0...21) {
    case 0...6: try save(&random)
    case 7...11: try readPage(random.int(1...5), &random)
    case 12: try readPage(60, &random)
    case 13: try readPrices(&random)
    case 14: try readAssets(&random)
    case 15: _ = try store().makeDueSnapshots()
    case 16: try keepWords(step)
    case 17: try giveUp()
    case 18: try store().write { _ = try $0.takeNewIdentity() }
    case 19: try readLogAnew()
    case 20: try backUp(step)
    default: try damageAndRepair()
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
    let space = "domain.portfolio/categories"
    var engine = Environment.Options(databases: [space])
    engine.mapByteCount = options.mapByteCount
    let environment = try Environment.open(at: stage.store, engine)
    let database = environment.database(space)
    do {
      try environment.write { transaction in
        if let last = try transaction.last(database) {
          try transaction.delete(database, last.key)
        }
      }
    } catch {
      environment.close()
      throw error
    }
    environment.close()
    try open()
    try repair()
  }
}
