import FolioCrypto
import FolioDomain

/// Fresh identities, so that a server may be checked any number of times.
struct Ids: Sendable {
  private let random = SystemRandom()

  func device() -> DeviceID { DeviceID(random.next128()) }

  func instance() -> InstanceID { InstanceID(random.next128()) }

  func transaction() -> TransactionID { TransactionID(random.next128()) }

  func nonce() -> UInt128 { random.next128() }
}

extension Envelope {
  /// A plain transaction whose body says nothing.
  static func plain(
    _ device: DeviceID, _ sequence: UInt64, _ id: TransactionID,
    body: String = #"{"operations":[]}"#,
    recordedAt: Timestamp = Timestamp(milliseconds: 1_772_352_000_000)
  ) -> Envelope {
    Envelope(
      id: id, device: device, deviceSequence: sequence, recordedAt: recordedAt,
      body: Array(body.utf8))
  }
}

extension LogPosition {
  /// The place after `entry`, which follows this one.
  func after(_ entry: LogEntry) -> LogPosition {
    LogPosition(seq: entry.seq, hash: LogChain.next(after: hash, entry, using: SHA256.self))
  }

  /// The place before the first entry of an account's log.
  static func start(of account: AccountID) -> LogPosition {
    LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
  }
}
