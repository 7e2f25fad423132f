import FolioApp
import FolioDomain
import FolioJSON
import FolioStore

extension JSONValue {
  /// A snapshot in a list.
  static func snapshot(_ summary: SnapshotSummary) -> JSONValue {
    row([
      "slot": .string(summary.slot.text), "assetCount": count(summary.totals?.assetCount),
      "value": text(summary.totals?.value.text),
      "unpricedCount": count(summary.totals?.unpricedCount),
      "staleCount": count(summary.totals?.staleCount), "digest": text(summary.digest?.text),
    ])
  }

  /// A whole snapshot; without a digest it is the provisional one, which has no slot before a server
  /// has told one.
  static func snapshot(_ snapshot: Snapshot, slot: Slot?, digest: Hash256?) -> JSONValue {
    let totals = snapshot.totals
    let assets = snapshot.assets.map { asset in
      row([
        "asset": .string(asset.asset.text), "amount": .string(asset.amount.decimalText),
        "category": .string(asset.category.spelling.text),
        "price": text(asset.quote?.price.text), "pricedAt": text(asset.quote?.pricedAt.text),
        "stale": flag(asset.quote?.isStale(at: snapshot.slot)), "value": text(asset.value?.text),
      ])
    }
    var members: KeyValuePairs<String, JSONValue> = [
      "slot": text(slot?.text), "assetCount": count(totals.assetCount),
      "value": .string(totals.value.text), "unpricedCount": count(totals.unpricedCount),
      "staleCount": count(totals.staleCount), "digest": text(digest?.text),
      "assets": .array(assets), "provisional": .bool(false),
    ]
    if digest == nil {
      members = [
        "slot": text(slot?.text), "assetCount": count(totals.assetCount),
        "value": .string(totals.value.text), "unpricedCount": count(totals.unpricedCount),
        "staleCount": count(totals.staleCount), "assets": .array(assets),
        "provisional": .bool(true),
      ]
    }
    return row(members)
  }

  /// A digest, with what it rests on.
  static func digest(_ slot: Slot, _ digest: Hash256, _ basis: DigestBasis) -> JSONValue {
    row([
      "slot": .string(slot.text), "digest": .string(digest.text),
      "stateDigest": .string(basis.stateDigest.text), "head": position(basis.position),
      "marketEpoch": text(basis.marketEpoch.map { hexadecimal($0) }),
      "revision": count(basis.revision), "assetsTag": text(basis.assetsTag?.text),
      "through": text(basis.through?.text),
    ])
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
