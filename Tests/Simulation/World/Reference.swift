import FolioCrypto
import FolioDomain
import FolioJSON
import FolioWire

/// What a log comes to, in plain dictionaries: written from the rules, with none of the code that a
/// store or a server runs but the reading of bodies.
struct Reference {
  struct Field {
    var stamp: Stamp
    var value: JSONValue?
  }

  struct Paper {
    var created: Timestamp
    var updated: Timestamp
    var fields: [FieldPath: Field] = [:]
    var deletion: (stamp: Stamp, isDeleted: Bool)?
  }

  private(set) var amounts: [AssetKey: Int128] = [:]
  private(set) var categories: [AssetKey: (stamp: Stamp, category: Category)] = [:]
  private(set) var papers: [DocumentKey: Paper] = [:]
  private var lastTimes: [DeviceID: Int64] = [:]

  init(_ entries: [WireEntry]) {
    for entry in entries { add(entry.logEntry(using: SHA256.self)) }
  }

  private mutating func add(_ entry: LogEntry) {
    let transaction = entry.transaction
    let accepted = entry.acceptedAt.milliseconds
    let floor = lastTimes[transaction.device] ?? accepted - 400 * 86_400_000
    let said = min(transaction.recordedAt.milliseconds, accepted + 120_000)
    let time = max(floor, 1_577_836_800_000, said)
    lastTimes[transaction.device] = time
    guard entry.kind == .accepted,
      let body = try? TransactionBody(decoding: transaction.body)
    else { return }
    for (index, operation) in body.operations.enumerated() {
      apply(
        operation,
        Stamp(
          effectiveAt: Timestamp(milliseconds: time), device: transaction.device,
          deviceSequence: transaction.deviceSequence, index: UInt32(index)))
    }
  }

  private mutating func apply(_ operation: Operation, _ stamp: Stamp) {
    switch operation {
    case .adjust(let asset, let amount): amounts[asset, default: 0] += amount.units
    case .categorize(let asset, let category):
      if let known = categories[asset], stamp < known.stamp { return }
      categories[asset] = (stamp, category)
    case .put(let put):
      change(DocumentKey(collection: put.collection, id: put.document), stamp) { paper in
        for field in put.set { paper.set(field.path, field.value, stamp) }
        for path in put.unset { paper.set(path, nil, stamp) }
        if put.undelete { paper.mark(isDeleted: false, stamp) }
      }
    case .delete(let collection, let id):
      change(DocumentKey(collection: collection, id: id), stamp) {
        $0.mark(isDeleted: true, stamp)
      }
    case .unknown: break
    }
  }

  private mutating func change(
    _ key: DocumentKey, _ stamp: Stamp, _ body: (inout Paper) -> Void
  ) {
    let time = stamp.effectiveAt
    var paper = papers[key] ?? Paper(created: time, updated: time)
    paper.created = min(paper.created, time)
    paper.updated = max(paper.updated, time)
    body(&paper)
    papers[key] = paper
  }
}

extension Reference.Paper {
  fileprivate mutating func set(_ path: FieldPath, _ value: JSONValue?, _ stamp: Stamp) {
    if let known = fields[path], stamp < known.stamp { return }
    fields[path] = Reference.Field(stamp: stamp, value: value)
  }

  fileprivate mutating func mark(isDeleted: Bool, _ stamp: Stamp) {
    if let deletion, stamp < deletion.stamp { return }
    deletion = (stamp, isDeleted)
  }
}
