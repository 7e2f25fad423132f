internal import FolioCrypto
internal import FolioDomain

/// What is read and changed while a page of the log is taken in, written when the page is whole.
///
/// Rows that entries change are held here from the first change to the end of the page, so that each
/// is read and written once. Its size is that of the page.
struct PageWork {
  var log: LogRecord
  var outbox: OutboxRecord
  let device: DeviceID
  /// The last entry that was read before this page.
  let start: UInt64
  /// Whether what the open store remembers is of the log that is held.
  var remembersSession = false

  /// Rows by what they are of, as they are after the entries taken so far.
  var devices: [DeviceID: DeviceWork] = [:]
  private(set) var history: [HistoryWork] = []
  private var historyPlaces: [AssetSlot: Int] = [:]
  var documents: [DocumentKey: DocumentWork] = [:]

  /// What entries changed that came back, and are no longer pending.
  var assetsTakenBack: Set<AssetKey> = []
  var documentsTakenBack: Set<DocumentKey> = []
  /// The earliest effective time of an entry that changes what is held.
  var firstHoldingChange: Timestamp?

  /// The state digest after each entry of the page.
  var digests: [RunningDigest] = []
  /// The seq of the last own entry of this page that touched an asset.
  var ownEntries: [AssetKey: UInt64] = [:]
  var assetsReported: Set<AssetKey> = []
  var result = PageResult()
  /// When entries took effect of which something waits for a newer version.
  var waiting: [UInt64: Timestamp] = [:]

  /// Rows that changed since the state digest was last brought up to date.
  private var unsettledHistory: [Int] = []
  private var unsettledDocuments: [DocumentKey] = []
  private var unsettledDevice: DeviceID?
  private var bytes = CanonicalBytes(capacity: 256)

  struct DeviceWork {
    var state: DeviceState?
    /// The row's part of the state digest, as it is in there now.
    var digest: Hash256?
  }

  struct HistoryWork {
    let key: AssetSlot
    var state: AssetSlotState
    /// What the stored row adds up to; nil where there is none.
    var stored: Int256?
    var digest: Hash256?
    var isUnsettled = false
  }

  struct DocumentWork {
    var state: DocumentState?
    var digest: Hash256?
    var isUnsettled = false
  }

  init(log: LogRecord, outbox: OutboxRecord, device: DeviceID) {
    self.log = log
    self.outbox = outbox
    self.device = device
    start = log.seq
  }

  mutating func remark(_ kind: LogRemark.Kind) {
    result.remarks.append(LogRemark(seq: log.seq, kind: kind))
  }

  /// Notes that something of an entry waits for a newer version.
  mutating func remarkWaiting(_ seq: UInt64, _ effectiveAt: Timestamp) {
    result.remarks.append(LogRemark(seq: seq, kind: .needsNewerVersion))
    waiting[seq] = effectiveAt
    log.unknownCount += 1
  }

  // MARK: Rows as they were stored

  mutating func load(_ device: DeviceID, _ state: DeviceState?) {
    let digest = state.map { hash(DeviceRow(device, $0)) }
    devices[device] = DeviceWork(state: state, digest: digest)
  }

  /// Where the row of an asset and a slot is held; read by `state` at the first asking.
  mutating func historyPlace(
    of key: AssetSlot, _ state: (AssetSlot) throws -> AssetSlotState?
  ) rethrows -> Int {
    if let place = historyPlaces[key] { return place }
    let stored = try state(key)
    let digest = stored.map { hash(HistoryRow(key, $0)) }
    historyPlaces[key] = history.count
    history.append(
      HistoryWork(
        key: key, state: stored ?? AssetSlotState(), stored: stored?.adjustment, digest: digest))
    return history.count - 1
  }

  mutating func load(_ key: DocumentKey, _ state: DocumentState?) {
    let digest = state.map { hash(DocumentRow(key, $0)) }
    documents[key] = DocumentWork(state: state, digest: digest)
  }

  // MARK: Changes

  mutating func set(_ device: DeviceID, _ state: DeviceState) {
    devices[device]?.state = state
    unsettledDevice = device
  }

  /// Applies an operation on an asset whose row is held at `place`.
  mutating func apply(_ operation: Operation, toHistoryAt place: Int, stamp: Stamp) {
    history[place].state.apply(operation, stamp: stamp)
    if !history[place].isUnsettled {
      history[place].isUnsettled = true
      unsettledHistory.append(place)
    }
    firstHoldingChange = min(firstHoldingChange ?? stamp.effectiveAt, stamp.effectiveAt)
  }

  /// Applies an operation on a document whose row is loaded.
  mutating func apply(_ operation: Operation, to key: DocumentKey, stamp: Stamp) {
    let isUnsettled = documents[key]?.isUnsettled ?? false
    if documents[key]?.state == nil {
      documents[key]?.state = DocumentState(operation, stamp: stamp)
    } else {
      documents[key]?.state?.apply(operation, stamp: stamp)
    }
    documents[key]?.isUnsettled = true
    if !isUnsettled { unsettledDocuments.append(key) }
  }

  // MARK: The state digest

  /// Brings the state digest up to date with the rows that changed.
  ///
  /// - Complexity: O(rows changed since the last time).
  mutating func settle() {
    if let device = unsettledDevice, let state = devices[device]?.state {
      let digest = hash(DeviceRow(device, state))
      exchange(devices[device]?.digest, digest)
      devices[device]?.digest = digest
      unsettledDevice = nil
    }
    for place in unsettledHistory {
      let digest = hash(HistoryRow(history[place].key, history[place].state))
      exchange(history[place].digest, digest)
      history[place].digest = digest
      history[place].isUnsettled = false
    }
    unsettledHistory.removeAll(keepingCapacity: true)
    for key in unsettledDocuments {
      guard let work = documents[key], let state = work.state else { continue }
      let digest = hash(DocumentRow(key, state))
      exchange(work.digest, digest)
      documents[key]?.digest = digest
      documents[key]?.isUnsettled = false
    }
    unsettledDocuments.removeAll(keepingCapacity: true)
  }

  private mutating func exchange(_ old: Hash256?, _ new: Hash256) {
    if let old { log.digest.remove(old) }
    log.digest.add(new)
  }

  private mutating func hash(_ row: some StateRow) -> Hash256 {
    bytes.removeAll()
    row.appendCanonicalBytes(to: &bytes)
    return SHA256.hash(of: bytes.bytes)
  }
}
