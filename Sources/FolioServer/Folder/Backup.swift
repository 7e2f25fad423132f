package import FolioDomain
import FolioSystem

/// A log that a backup holds, up to where.
package struct BackedUpLog: Hashable, Sendable {
  /// The account's name.
  package var account: String
  /// The entries up to it are in the backup.
  package var seq: UInt64
  /// The log of `account`, up to `seq`.
  package init(account: String, seq: UInt64) {
    self.account = account
    self.seq = seq
  }
}

extension ServerFolder {
  /// Writes a backup into a folder that is not there, or empty; the server may run meanwhile.
  ///
  /// The stable mark of each log moves to where the log stood before the copy was begun, once the
  /// copy is complete and synced: clients may then drop the entries that they keep.
  package func backUp(to folder: String, now: Timestamp) throws -> [BackedUpLog] {
    guard try Self.isFree(folder) else { throw FolderError.notEmpty(folder) }
    let logs = try storage.read(AccountList()).map {
      BackedUpLog(account: $0.name, seq: $0.account.head.seq)
    }
    try Files.makeFolder(folder)
    try storage.copy(to: folder + "/" + Self.dataFile)
    try storage.write(MarkBackup(logs, now: now))
    return logs
  }

  /// What restoring came to.
  package struct Restored: Sendable {
    /// The folder, open.
    package var folder: ServerFolder
    /// Where the data is that was there before; nil where there was none.
    package var replaced: String?
  }

  /// Puts a backup in place of what is in the folder, which is kept under another name.
  ///
  /// The backup is checked first. Its logs get new ids and its market a new epoch, since what others
  /// have read beyond it did not happen here.
  package static func restore(
    from backup: String, to path: String, random: some RandomSource, now: Timestamp
  ) throws -> Restored {
    var options = LMDBServerStorage.Options()
    options.readOnly = true
    let verification = try verify(at: backup, options)
    guard verification.isSound else {
      throw FolderError.damagedBackup(backup, problems: verification.problemCount)
    }
    let source = try open(at: backup, options)
    defer { source.storage.close() }
    let isFree = try isFree(path)
    guard try isFree || Files.kind(of: path + "/" + dataFile) == .file else {
      throw FolderError.notEmpty(path)
    }
    let current = isFree ? nil : try openAlone(path)
    defer { current?.storage.close() }
    // Made whole beside its place, new ids and all: at every moment the place holds either the data
    // from before or the data restored.
    let building = path + "/" + restoringFolder
    try Files.removeTree(building)
    try Files.makeFolder(building)
    defer { try? Files.removeTree(building) }
    try source.storage.copy(to: building + "/" + dataFile)
    let made = try open(at: building)
    do {
      defer { made.storage.close() }
      try made.storage.write(StartAnew(random: random, backup: source.logs()))
    }
    let replaced = isFree ? nil : try keepData(of: path, now: now)
    try Files.rename(building + "/" + dataFile, to: path + "/" + dataFile)
    try Files.syncFolder(path)
    current?.storage.close()
    return Restored(folder: try open(at: path), replaced: replaced)
  }

  /// Where a restore builds what is to take the data file's place.
  static let restoringFolder = "restoring"

  private func logs() throws -> [String] { try storage.read(AccountList()).map(\.name) }

  /// Gives the data file of a folder a second name, which is free; says which.
  private static func keepData(of path: String, now: Timestamp) throws -> String {
    let file = path + "/" + dataFile
    var name = "\(file).replaced-\(now.milliseconds)"
    while try Files.kind(of: name) != nil { name += "-" }
    try Files.keep(file, as: name)
    return name
  }
}

extension ServerFolder {
  /// The folder, for this process alone; nil where it is too damaged to be opened.
  private static func openAlone(_ path: String) throws -> ServerFolder? {
    var options = LMDBServerStorage.Options()
    options.exclusive = true
    do {
      return try open(at: path, options)
    } catch ServerStorageError.failed, ServerStorageError.damaged {
      return nil
    }
  }
}

/// Moves the stable mark of each log to where a backup holds it.
package struct MarkBackup: ServerChange {
  private let logs: [BackedUpLog]
  private let now: Timestamp

  /// The mark of each log moves to where `logs` says, and the backup was made at `now`.
  package init(_ logs: [BackedUpLog], now: Timestamp) {
    self.logs = logs
    self.now = now
  }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    for log in logs {
      guard var account = try transaction.account(named: log.account) else { continue }
      account.stable = max(account.stable, log.seq)
      try transaction.put(.accounts, AccountRow.key(log.account), account.row)
    }
    var server = try transaction.serverRow()
    server.backedUpAt = now
    try transaction.put(.meta, ServerRow.key, server.row)
  }
}

/// Gives new ids to logs, and a new epoch to the market.
package struct StartAnew: ServerChange {
  private let logs: [(account: String, id: LogID)]
  private let epoch: UInt64

  /// New ids for the logs of `accounts`.
  package init(random: some RandomSource, backup accounts: [String]) {
    logs = accounts.map { ($0, LogID(random: random)) }
    epoch = random.next()
  }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    for (name, id) in logs {
      guard var account = try transaction.account(named: name) else { continue }
      account.log = id
      try transaction.put(.accounts, AccountRow.key(name), account.row)
    }
    var market = try transaction.market()
    market.epoch = epoch
    try transaction.put(.meta, MarketRow.key, market.row)
  }
}
