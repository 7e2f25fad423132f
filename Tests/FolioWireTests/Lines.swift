import FolioDomain
import FolioWire

/// Values that tests write lines with.
enum Line {
  static let id128 = "0123456789abcdef0123456789abcdef"
  static let hash = id128 + id128

  static let hello =
    #"{"capabilities":[],"client":{"name":"test","version":"1"},"id":1,"nonce":"\#(id128)","#
    + #""type":"hello","versions":[1]}"#

  static let auth =
    #"{"account":"alice","device":{"id":"\#(id128)","instance":"\#(id128)"},"id":2,"points":[],"#
    + #""type":"auth"}"#

  /// A transaction as pushed, with that body and other members after it.
  static func transaction(body: String = "{}", more: String = "") -> String {
    #"{"body":\#(body),"device":"\#(id128)","form":"plain","id":"\#(id128)","recordedAt":1,"#
      + #""sequence":1\#(more)}"#
  }

  /// A push of that transaction.
  static func push(_ transaction: String = transaction(), id: Int = 3) -> String {
    #"{"id":\#(id),"transactions":[\#(transaction)],"type":"push"}"#
  }

  static func ping(_ id: Int) -> String { #"{"id":\#(id),"type":"ping"}"# }
}

/// The fault of a line; nil where it is taken.
func fault(_ line: [UInt8]) -> WireError? {
  do throws(WireError) {
    _ = try Message(line: line)
    return nil
  } catch {
    return error
  }
}

func fault(_ line: String) -> WireError? { fault(Array(line.utf8)) }

/// Where `part` starts in `line`, in bytes.
func offset(of part: String, in line: String) -> Int {
  let line = Array(line.utf8)
  let part = Array(part.utf8)
  return line.indices.first { line[$0...].starts(with: part) } ?? -1
}

extension Welcome {
  /// A welcome with nothing remarkable in it.
  static func plain(version: Int = 1, limits: Limits = Limits()) -> Welcome {
    Welcome(
      version: version, serverID: 1, server: Software(name: "test", version: "1"),
      time: Timestamp(milliseconds: 0), nonce: 2, limits: limits,
      schedule: TableSchedule(next: Timestamp(milliseconds: 0)))
  }
}

extension Ready {
  /// Facts of an empty log.
  static let empty = Ready(
    account: AccountID(.zero), head: LogPosition(seq: 0, hash: .zero), log: LogID(1),
    market: MarketState(
      position: MarketPosition(epoch: 1, revision: 5, through: Slot(index: 0)),
      base: AssetID(unchecked: "USD")), time: Timestamp(milliseconds: 0))
}

extension Software {
  static let test = Software(name: "test", version: "1")
}
