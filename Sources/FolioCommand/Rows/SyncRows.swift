import FolioApp
import FolioDomain
import FolioGateway
import FolioJSON

extension JSONValue {
  /// What a sync came to.
  static func sync(_ summary: SyncSummary) -> JSONValue {
    row([
      "pushed": count(summary.pushed), "pulled": count(summary.pulled),
      "refilled": count(summary.refilled), "priceTables": count(summary.priceTables),
      "snapshots": count(summary.snapshots), "remade": count(summary.remade),
      "head": position(summary.head),
      "rejected": .array(
        summary.rejected.map {
          row(["id": .string($0.id.text), "reason": .string($0.reason)])
        }),
      "changedOnBothSides": .array(summary.changedOnBothSides.map { .string($0.text) }),
      "skewMs": .integer(summary.skewMilliseconds), "newDevice": text(summary.newDevice?.text),
      "rebuilt": .bool(summary.rebuilt), "compensations": count(summary.compensations),
      "unreadable": count(summary.unreadableBodies),
      "witness": text(summary.witness.map { $0.agrees ? "agrees" : "differs" }),
    ])
  }

  /// What a restore came to.
  static func restored(_ restored: RestoreSummary) -> JSONValue {
    row([
      "transactions": count(restored.transactions), "compressedTo": count(restored.compressedTo),
      "priceTables": count(restored.priceTables), "snapshots": count(restored.snapshots),
      "assets": count(restored.assets), "documents": count(restored.documents),
      "digest": text(restored.digest?.text), "witness": .string(restored.witness.text),
    ])
  }
}
