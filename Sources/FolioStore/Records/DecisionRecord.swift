/// A question that a sync could not go on without, and that only a person can answer.
public enum WaitingDecision: Hashable, Sendable {
  /// The server lost these entries, which this store no longer keeps.
  case serverLacks(ClosedRange<UInt64>)
  /// The server's log has parted from this store's and is shorter: how many entries each has.
  case shorterLog(server: UInt64, local: UInt64)
  /// The server has another account under the known name: how many entries each has.
  case otherAccount(server: UInt64, local: UInt64)
}

/// The question that waits, if one does.
struct DecisionRecord: SingleRecord {
  static let name = "decision"

  var waiting: WaitingDecision?

  init() {}

  init(_ waiting: WaitingDecision?) { self.waiting = waiting }

  init(_ reader: inout RecordReader) throws(StoreError) {
    let kind = try reader.readVarint()
    if kind == 0 { return }
    let first = try reader.readVarint()
    let second = try reader.readVarint()
    switch kind {
    case 1 where first <= second: waiting = .serverLacks(first...second)
    case 2: waiting = .shorterLog(server: first, local: second)
    case 3: waiting = .otherAccount(server: first, local: second)
    default: throw StoreError.unreadableRecord(space: "gate.sync/cursor")
    }
  }

  func encode(_ writer: inout RecordWriter) {
    let (kind, first, second): (UInt64, UInt64, UInt64) =
      switch waiting {
      case nil: (0, 0, 0)
      case .serverLacks(let range): (1, range.lowerBound, range.upperBound)
      case .shorterLog(let server, let local): (2, server, local)
      case .otherAccount(let server, let local): (3, server, local)
      }
    writer.append(varint: kind)
    if kind == 0 { return }
    writer.append(varint: first)
    writer.append(varint: second)
  }
}
