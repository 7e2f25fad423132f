/// What is kept of a device: its last entry in the log.
public struct DeviceState: Hashable, Sendable {
  /// The sequence of its last entry.
  public var sequence: UInt64
  /// The hash of the chain after that entry.
  public var hash: Hash256
  /// The effective time of that entry.
  public var effectiveAt: Timestamp

  /// A device whose last entry has those members.
  public init(sequence: UInt64, hash: Hash256, effectiveAt: Timestamp) {
    self.sequence = sequence
    self.hash = hash
    self.effectiveAt = effectiveAt
  }

  /// The state after the later one of two entries of the device.
  public func merged(with other: DeviceState) -> DeviceState {
    sequence < other.sequence ? other : self
  }
}
