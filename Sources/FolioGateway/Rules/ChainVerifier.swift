import FolioCrypto
import FolioDomain

/// Checks that entries follow one another: in the log, in the chain of hashes, and in each device.
///
/// What it has checked it remembers, so that the next page is checked against it.
struct ChainVerifier {
  /// The place after the last entry checked.
  private(set) var position: LogPosition
  private var lastSequences: [DeviceID: UInt64] = [:]

  init(after position: LogPosition) {
    self.position = position
  }

  /// Checks `entry` and returns it with its hash.
  ///
  /// `entry` is whole; its body's hash is taken here, not believed.
  /// - Parameter lastSequence: The sequence of a device's last entry before this one, asked once for
  ///   each device; nil where it is not known and any is taken.
  mutating func check(
    _ entry: LogEntry, lastSequence: (DeviceID) throws -> UInt64?
  ) throws -> VerifiedEntry {
    let seq = entry.seq
    guard seq == position.seq + 1 else {
      throw ProtocolViolation.gapInLog(expected: position.seq + 1, got: seq)
    }
    let device = entry.transaction.device
    let sequence = entry.transaction.deviceSequence
    if let last = try lastSequences[device] ?? lastSequence(device), sequence != last + 1 {
      throw ProtocolViolation.gapInDevice(seq: seq, expected: last + 1, got: sequence)
    }
    let hash = LogChain.next(after: position.hash, entry, using: SHA256.self)
    position = LogPosition(seq: seq, hash: hash)
    lastSequences[device] = sequence
    return VerifiedEntry(entry, hash: hash)
  }
}
