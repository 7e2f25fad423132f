/// The wall clock, passed in so that a test or a simulation decides what time it is.
public protocol WallClock: Sendable {
  /// The present moment by this clock; it may step back.
  func now() -> Timestamp
}
