import FolioApp
import FolioArguments
import FolioDomain
import FolioGateway
import FolioJSON
import FolioStore

extension Command {
  static let status = Command(
    "status", "What the store is, what waits to be sent, and how far it has read",
    session: { session in try session.showStatus() })
}

extension Session {
  fileprivate func showStatus() throws {
    let path = try storePath()
    let (status, rejected, remarks, display) = try read {
      (try $0.status(), try $0.rejected(), try $0.remarks(), try Display($0))
    }
    try console.say(
      .status(status, path, rejected, remarks),
      text: text(status, path, rejected, remarks, display))
  }

  private func clock(_ status: StoreStatus) -> String {
    guard let skew = status.knownSkew else { return "not compared with a server's" }
    let seconds = skew / 1_000
    if seconds.magnitude < 60 { return "\(skew) ms off the server's" }
    if seconds.magnitude < 172_800 { return "\(seconds) s off the server's" }
    return "\(seconds / 86_400) days off the server's"
  }

  private func prices(_ status: StoreStatus) -> String {
    let count = status.priceTableCount.counted("table")
    guard let base = status.knownBase else { return count }
    return "\(count), in \(base)"
  }

  private func text(
    _ status: StoreStatus, _ path: String, _ rejected: [RejectedEntry], _ remarks: [LogRemark],
    _ display: Display
  ) -> String {
    let outbox = status.outbox
    var lines = [
      ("store", path), ("device", status.device.text),
      ("account", status.accountName ?? "none: not joined"),
      ("server", status.serverURL ?? "none"),
      (
        "waiting",
        "\(outbox.count) of \(outbox.countMax) transactions"
          + (outbox.isNearlyFull ? ", nearly full: sync soon" : "")
      ),
      ("read up to", status.position.map { "entry \($0.seq)" } ?? "nothing"),
      ("kept from", "entry \(status.keptFrom)"),
      ("last sync", status.lastSyncAt.map(display.text) ?? "never"),
      ("clock", clock(status)),
      ("prices", prices(status)),
      ("closed", status.market?.through.text ?? "no slot"),
      ("next prices", status.nextTablesAt.map(display.text) ?? "unknown"),
    ]
    lines += status.decisions.flatMap { decision in
      [("to decide", decision.message)] + decision.answers.map { ("", $0.text) }
    }
    lines += remarks.map { ("entry \($0.seq)", $0.kind.message) }
    lines += rejected.map { ("rejected", "\($0.id.text): \($0.reason)") }
    if status.unknownCount > 0 {
      lines.append(
        (
          "needs",
          "a newer version: \(status.unknownCount.counted("entry waits", "entries wait")) for it"
        ))
    }
    var table = TextTable([.left(""), .left("")])
    for (name, value) in lines { table.add([name, value]) }
    return String(table.text.drop { $0 == "\n" })
  }
}

extension LogRemark.Kind {
  /// What a person is told of an entry.
  fileprivate var message: String {
    switch self {
    case .unreadableBody: "cannot be read by anybody: no effect"
    case .needsNewerVersion: "takes effect with a newer version"
    case .otherLogSeen: "its writer was shown another log under the id of this one"
    case .otherStateSeen: "its writer had another state at the same place: run verify on both"
    @unknown default: code
    }
  }
}

extension StoreStatus {
  /// The server's clock less this device's; nil before the first was told.
  fileprivate var knownSkew: Int64? {
    lastSyncAt == nil && skewMilliseconds == 0 ? nil : skewMilliseconds
  }

  /// The currency of prices; nil before a server has told it.
  fileprivate var knownBase: String? { baseCurrency.isEmpty ? nil : baseCurrency }
}

extension JSONValue {
  private static func decision(_ decision: SyncDecision) -> JSONValue {
    row([
      "code": .string(decision.code), "message": .string(decision.message),
      "answers": .array(decision.answers.map { .string($0.text) }),
    ])
  }

  fileprivate static func status(
    _ status: StoreStatus, _ path: String, _ rejected: [RejectedEntry], _ remarks: [LogRemark]
  ) -> JSONValue {
    row([
      "store": .string(path), "device": .string(status.device.text),
      "account": text(status.accountName), "accountId": text(status.account?.text),
      "server": text(status.serverURL), "outbox": count(status.outbox.count),
      "outboxMax": count(status.outbox.countMax), "outboxBytes": count(status.outbox.byteCount),
      "outboxNearlyFull": .bool(status.outbox.isNearlyFull), "cursor": position(status.position),
      "stateDigest": .string(status.stateDigest.text), "mark": count(status.stable),
      "keptFrom": count(status.keptFrom),
      "skewMs": status.knownSkew.map(JSONValue.integer) ?? .null,
      "lastSync": text(status.lastSyncAt?.text),
      "nextTablesAt": text(status.nextTablesAt?.text), "through": text(status.market?.through.text),
      "baseCurrency": text(status.knownBase), "priceTables": count(status.priceTableCount),
      "assets": count(status.assetCount), "documents": count(status.documentCount),
      "devices": count(status.deviceCount), "needsNewerVersion": .bool(status.unknownCount > 0),
      "rejected": .array(
        rejected.map {
          row([
            "id": .string($0.id.text), "sequence": count($0.sequence), "reason": .string($0.reason),
          ])
        }),
      "divergences": .array(status.divergences.map { .string($0.text) }),
      "decisions": .array(status.decisions.map(JSONValue.decision)),
      "remarks": .array(
        remarks.map { row(["seq": count(Int($0.seq)), "code": .string($0.kind.code)]) }),
    ])
  }
}
