/// When an entry counts as having happened: derived by every reader from what the entry carries,
/// and never sent.
public enum EffectiveTime {
  /// No entry counts as earlier than 2020-01-01T00:00:00Z.
  public static let earliest = Timestamp(milliseconds: 1_577_836_800_000)
  /// How far a device's clock may be ahead of the server's: 120 s.
  public static let leadLimit: Int64 = 120_000
  /// How far back a device's first entry may lie: 400 days.
  public static let firstEntryAgeLimit: Int64 = 400 * 86_400_000

  /// The effective time of an entry.
  ///
  /// The greatest of: the one before of the same device (for its first entry acceptedAt - 400
  /// days), 2020-01-01, and the earlier of recordedAt and acceptedAt + 120 s. So no clock, however
  /// wrong, makes an entry that is refused, one that lies in the future, or one before its
  /// predecessor.
  /// - Parameters:
  ///   - previous: The effective time of the device's entry before; nil for its first.
  ///   - recordedAt: When the device says it was made.
  ///   - acceptedAt: When the server took it.
  public static func next(
    previous: Timestamp?, recordedAt: Timestamp, acceptedAt: Timestamp
  ) -> Timestamp {
    let floor = previous ?? acceptedAt.adding(milliseconds: -firstEntryAgeLimit)
    return max(floor, earliest, min(recordedAt, acceptedAt.adding(milliseconds: leadLimit)))
  }

  /// What a device writes into a transaction as the time it was recorded.
  ///
  /// The later of its clock and one millisecond past the greatest effective time it has taken from
  /// the log, so that what it makes comes after what it has seen.
  public static func recordedAt(now: Timestamp, greatestEffectiveAt: Timestamp?) -> Timestamp {
    guard let greatest = greatestEffectiveAt else { return now }
    return max(now, greatest.adding(milliseconds: 1))
  }
}
