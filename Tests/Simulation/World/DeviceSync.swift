import FolioGateway
import FolioSystem
import TestSupport

/// A sync of a device, over as many connections as it takes.
struct DeviceSync {
  var options = SyncOptions(account: SimulatedServer.account)
  var memory = SyncMemory()
  var backoff: Backoff
  let random: SeededSource
  /// The connection, and what is said on it; nil between two.
  var session: SyncSession?
  var link: Link?
  /// When the next connection is made, where there is none.
  var nextAttempt: MonotonicTime

  init(_ random: SeededSource, at now: MonotonicTime, acceptsShorterLog: Bool) {
    self.random = random
    options.answers = SyncAnswers(
      acceptsShorterLog: acceptsShorterLog, adoptsAccount: acceptsShorterLog)
    backoff = Backoff(attemptsMax: options.attemptsMax)
    nextAttempt = now
  }

  /// Takes over what a connection came to, which may put off giving up.
  mutating func take(_ memory: SyncMemory) {
    if memory.progressCount > self.memory.progressCount { backoff.noteProgress() }
    self.memory = memory
  }
}
