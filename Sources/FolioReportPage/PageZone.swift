public import FolioDomain

/// The zone that a page tells times in.
///
/// Slots begin by UTC, and every moment stands in the page in UTC too, where a program reads it.
public struct PageZone: Sendable {
  /// What the zone is called.
  public let name: String
  private let offsetSeconds: @Sendable (Timestamp) -> Int64

  /// Coordinated universal time.
  public static let utc = PageZone("UTC") { _ in 0 }

  /// A zone of that name, which is so many seconds ahead of UTC at a moment.
  public init(_ name: String, offsetSeconds: @escaping @Sendable (Timestamp) -> Int64) {
    self.name = name
    self.offsetSeconds = offsetSeconds
  }

  /// The moment whose UTC clocks show what this zone's show at `time`.
  func local(_ time: Timestamp) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + offsetSeconds(time) * 1_000)
  }

  /// A moment by the zone's clocks, to the minute.
  func text(_ time: Timestamp) -> String {
    let text = local(time).text
    return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
  }

  /// A slot's start by the zone's clocks.
  func text(_ slot: Slot) -> String { text(slot.start) }
}
