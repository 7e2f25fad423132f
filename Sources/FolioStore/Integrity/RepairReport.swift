/// What a repair did.
public struct RepairReport: Hashable, Sendable {
  /// What was made anew from what is held.
  public var rebuilt: [String] = []
  /// What was forgotten because it was not sound, and comes back with the next sync.
  public var fromServer: [String] = []
  /// What was not sound, and nobody else has.
  public var lost: [String] = []
  /// A copy of the store as it was before; nil where nothing was changed.
  public var copy: String?
  /// What is wrong still.
  public var problems: [IntegrityProblem] = []

  /// A repair that did nothing.
  public init() {}
}
