/// Accepted state in memory: what a set of log entries comes to, and nothing else.
///
/// It is a pure function of the set of entries. Storage keeps the same rows; this is the model that
/// it is held against.
public struct AcceptedState: Hashable, Sendable {
  /// What happened to each asset in each slot in which something did.
  public private(set) var history: [AssetSlot: AssetSlotState] = [:]
  /// Every document there ever was.
  public private(set) var documents: [DocumentKey: DocumentState] = [:]
  /// The last entry of each device.
  public private(set) var devices: [DeviceID: DeviceState] = [:]
  /// The first effective time of all entries that count.
  public private(set) var firstEffectiveAt: Timestamp?
  /// The greatest effective time of all entries.
  public private(set) var greatestEffectiveAt: Timestamp?
  /// The transactions whose bodies cannot be read, by id.
  public private(set) var unreadable: [TransactionID: BodyError] = [:]
  /// Whether entries or operations wait for a version that knows them.
  public private(set) var needsNewerVersion = false

  /// The state of an empty log.
  public init() {}

  /// Applies an entry that follows, in its device's sequence, those applied before.
  ///
  /// An entry of the device that is not beyond its last is one applied already, and changes
  /// nothing.
  /// - Parameters:
  ///   - entry: The entry, whole.
  ///   - hash: The hash of the chain after it.
  /// - Complexity: O(bytes of the body).
  public mutating func apply(_ entry: LogEntry, hash: Hash256) {
    let transaction = entry.transaction
    let previous = devices[transaction.device]
    if let previous, transaction.deviceSequence <= previous.sequence { return }
    let effect = EffectiveEntry(entry, previous: previous?.effectiveAt)
    devices[transaction.device] = DeviceState(
      sequence: transaction.deviceSequence, hash: hash, effectiveAt: effect.effectiveAt)
    greatestEffectiveAt = max(greatestEffectiveAt ?? effect.effectiveAt, effect.effectiveAt)
    if effect.needsNewerVersion { needsNewerVersion = true }
    if case .unreadable(let error) = effect.verdict { unreadable[transaction.id] = error }
    guard effect.verdict == .applies else { return }
    firstEffectiveAt = min(firstEffectiveAt ?? effect.effectiveAt, effect.effectiveAt)
    for (operation, stamp) in effect.stamped { apply(operation, stamp: stamp) }
  }

  /// Applies one operation.
  ///
  /// Applied in any order, the same operations come to the same state.
  public mutating func apply(_ operation: Operation, stamp: Stamp) {
    if let asset = operation.asset {
      let key = AssetSlot(asset: asset, slot: Slot(containing: stamp.effectiveAt))
      history[key, default: AssetSlotState()].apply(operation, stamp: stamp)
    } else if let key = operation.document {
      documents[key, default: DocumentState(at: stamp.effectiveAt)].apply(operation, stamp: stamp)
    }
  }

  /// What this state and that of other entries come to together.
  ///
  /// - Precondition: No entry is in both.
  public func merged(with other: AcceptedState) -> AcceptedState {
    var state = self
    state.history.merge(other.history) { $0.merged(with: $1) }
    state.documents.merge(other.documents) { $0.merged(with: $1) }
    state.devices.merge(other.devices) { $0.merged(with: $1) }
    state.unreadable.merge(other.unreadable) { mine, _ in mine }
    state.firstEffectiveAt = [firstEffectiveAt, other.firstEffectiveAt].compactMap { $0 }.min()
    state.greatestEffectiveAt =
      [greatestEffectiveAt, other.greatestEffectiveAt].compactMap { $0 }.max()
    state.needsNewerVersion = needsNewerVersion || other.needsNewerVersion
    return state
  }

  /// What the history of each asset comes to in which something ever happened.
  ///
  /// - Parameter through: The last closed slot; nil where none is.
  /// - Complexity: O(n log n) in the rows of the history.
  public func assets(through: Slot?) -> [AssetKey: AcceptedAsset] {
    var assets: [AssetKey: AcceptedAsset] = [:]
    for (key, row) in history.sorted(by: { $0.key.slot < $1.key.slot }) {
      assets[key.asset, default: AcceptedAsset()].add(row, in: key.slot, through: through)
    }
    return assets
  }

  /// What the history of an asset comes to.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - through: The last closed slot; nil where none is.
  /// - Complexity: O(slots in which something happened, of all assets); storage reads those of one.
  public func asset(_ asset: AssetKey, through: Slot?) -> AcceptedAsset {
    var state = AcceptedAsset()
    let rows = history.filter { $0.key.asset == asset }.sorted { $0.key < $1.key }
    for (key, row) in rows { state.add(row, in: key.slot, through: through) }
    return state
  }

  /// The digest of all rows.
  ///
  /// - Complexity: O(rows); storage keeps it as rows change.
  public func digest<H: HashFunction>(using function: H.Type) -> StateDigest {
    var digest = StateDigest.empty
    for (key, state) in history { digest.add(HistoryRow(key, state), using: function) }
    for (key, state) in documents { digest.add(DocumentRow(key, state), using: function) }
    for (device, state) in devices { digest.add(DeviceRow(device, state), using: function) }
    return digest
  }
}
