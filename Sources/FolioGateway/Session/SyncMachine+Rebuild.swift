import FolioCrypto
import FolioDomain
import FolioWire

extension SyncMachine {
  /// The place before the first entry of an account's log.
  func emptyLog(of account: AccountID) -> LogPosition {
    LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
  }

  /// Reads the server's log from its start beside the state, or goes on with that.
  mutating func beginRebuild() throws {
    guard let begun = try storage.rebuildPosition() else { return try rebuildFromStart() }
    enter(.checkingRebuild)
    refill.position = begun
    send(.verify(seq: begun.seq))
  }

  mutating func receive(_ hash: ChainHash, at seq: UInt64) throws {
    guard phase == .checkingRebuild, hash.seq == seq else { throw unexpected("hash") }
    guard hash == refill.position else {
      try storage.abandonRebuild()
      return try rebuildFromStart()
    }
    refill.rebuildIsResumed = true
    readBeside(after: hash)
  }

  /// Goes on where the server could not say what its log has there.
  mutating func receiveVerifyRefusal() throws {
    try storage.abandonRebuild()
    try rebuildFromStart()
  }

  private mutating func rebuildFromStart() throws {
    guard let ready else { throw SyncError.violation(.impossibleFacts) }
    try storage.beginRebuild()
    refill.rebuildIsResumed = false
    readBeside(after: emptyLog(of: ready.account))
  }

  private mutating func readBeside(after position: LogPosition) {
    pull.verifier = ChainVerifier(after: position)
    enter(.rebuilding)
    askForEntries(after: position)
  }

  /// Replaces the state by that of the log that was read, and goes on as with any log.
  mutating func finishRebuild() throws {
    guard let ready else { return }
    if refill.losesEntries { try storage.keepCopy() }
    let end = RebuildEnd(
      account: ready.account, log: ready.log, stable: ready.stable, unplaced: refill.unplaced,
      bringsBackShown: state.isRestoredBackup && options.answers.keep == .backup)
    if refill.hasParted { try storage.recordDivergence() }
    memory.summary.add(try storage.finishRebuild(end))
    memory.summary.rebuilt = refill.hasParted
    memory.progressCount += 1
    state = try storage.syncState()
    try join(ready, account: ready.account)
    if try lacksOwnTransactions() { return try renewIdentity() }
    try readLog()
  }

  /// Whether the server lost transactions of this device that are no longer held, so that what is
  /// pending could never follow them.
  private func lacksOwnTransactions() throws -> Bool {
    let next = try storage.pending(after: 0, maxCount: 1, maxBytes: 1).first
    guard let sequence = next?.transaction.deviceSequence else {
      return state.lastSequence > push.acked
    }
    return sequence > push.acked + 1
  }
}
