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
    let source = try open(at: backup, options)
    defer { source.storage.close() }
    let verification = try source.verify()
    guard verification.isSound else {
      throw FolderError.damagedBackup(backup, problems: verification.problemCount)
    }
    let replaced = try put(source, in: path, now: now)
    let folder = try open(at: path)
    try folder.storage.write(StartAnew(random: random, backup: source.logs()))
    return Restored(folder: folder, replaced: replaced)
  }

  private func logs() throws -> [String] { try storage.read(AccountList()).map(\.name) }

  /// Copies the data file into the folder while nobody uses it.
  private static func put(_ source: ServerFolder, in path: String, now: Timestamp) throws -> String?
  {
    let file = path + "/" + dataFile
    if try isFree(path) {
      try Files.makeFolder(path)
      try source.storage.copy(to: file)
      return nil
    }
    guard try Files.kind(of: file) == .file else { throw FolderError.notEmpty(path) }
    let current = try openAlone(path)
    defer { current?.storage.close() }
    let new = file + ".restored"
    try Files.removeFile(new)
    try source.storage.copy(to: new)
    var replaced = "\(file).replaced-\(now.milliseconds)"
    while try Files.kind(of: replaced) != nil { replaced += "-" }
    try Files.rename(file, to: replaced)
    try Files.rename(new, to: file)
    try Files.syncFolder(path)
    return replaced
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
