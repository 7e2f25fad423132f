public import FolioDomain
public import LMDB

/// What a store is opened with.
public struct StoreOptions: Sendable {
  /// The wall clock.
  public var clock: any WallClock
  /// Where ids come from.
  public var random: any RandomSource
  /// How much address space the storage maps, which is the most the store can grow to.
  public var mapByteCount = 32 << 30
  /// How much the store may take before it refuses more, or nil for seven eighths of the map.
  public var quotaByteCount: Int?
  /// How many transactions may wait to be sent, and how many bytes of them.
  public var outbox = OutboxLimits()
  /// Whether nothing is to be written.
  public var readOnly = false
  /// Whether nobody else may have the store open.
  public var exclusive = false
  /// What the program understands of operations; a test may be an older one, or a later.
  package var operationLevel = Operation.level
  /// What makes steps of the storage fail, in tests.
  public var faults: (any StorageFaults)?

  /// The usual options, with that clock and that source of ids.
  public init(clock: any WallClock, random: any RandomSource) {
    self.clock = clock
    self.random = random
  }
}

/// How many transactions may wait to be sent, and how many bytes of them.
public struct OutboxLimits: Hashable, Sendable {
  /// How many transactions.
  public var countMax = 10_000
  /// How many bytes their bodies may have together.
  public var byteCountMax = 64 << 20
  /// The usual limits.
  public init() {}
}
