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
  ///   each device.
  mutating func check(
    _ entry: LogEntry, lastSequence: (DeviceID) throws -> UInt64
  ) throws -> VerifiedEntry {
    let seq = entry.seq
    guard seq == position.seq + 1 else {
      throw ProtocolViolation.gapInLog(expected: position.seq + 1, got: seq)
    }
    let device = entry.transaction.device
    let expected = try (lastSequences[device] ?? lastSequence(device)) + 1
    guard entry.transaction.deviceSequence == expected else {
      throw ProtocolViolation.gapInDevice(
        seq: seq, expected: expected, got: entry.transaction.deviceSequence)
    }
    let hash = LogChain.next(after: position.hash, entry, using: SHA256.self)
    position = LogPosition(seq: seq, hash: hash)
    lastSequences[device] = expected
    return VerifiedEntry(entry, hash: hash)
  }
}

extension ProtocolViolation: Error {}
