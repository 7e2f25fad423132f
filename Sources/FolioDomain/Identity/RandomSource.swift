/// Where identities come from, passed in so that a simulation can replay a run.
///
/// A source of identities must be cryptographically secure outside tests.
public protocol RandomSource: Sendable {
  /// The next 64 random bits.
  func next() -> UInt64
}

extension RandomSource {
  /// The next 128 random bits.
  public func next128() -> UInt128 { UInt128(next()) << 64 | UInt128(next()) }
}
