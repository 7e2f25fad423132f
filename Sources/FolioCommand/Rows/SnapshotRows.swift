import FolioApp
import FolioDomain
import FolioJSON
import FolioStore

extension JSONValue {
  /// A snapshot in a list; `shown` is its value in the display currency.
  static func snapshot(_ summary: SnapshotSummary, _ shown: ShownValue) -> JSONValue {
    row([
      "slot": .string(summary.slot.text), "assetCount": count(summary.totals?.assetCount),
      "value": text(summary.totals?.value.text),
      "unpricedCount": count(summary.totals?.unpricedCount),
      "staleCount": count(summary.totals?.staleCount), "digest": text(summary.digest?.text),
      "shownValue": text(shown.value?.text), "shownCurrency": text(shown.currencyCode),
    ])
  }

  /// A whole snapshot; without a digest it is the provisional one, which has no slot before a server
  /// has told one.
  static func snapshot(_ view: SnapshotView, slot: Slot?) -> JSONValue {
    let (snapshot, totals) = (view.snapshot, view.snapshot.totals)
    let shown = view.shown(totals.value)
    let assets = snapshot.assets.map { asset in
      row([
        "asset": .string(asset.asset.text), "amount": .string(asset.amount.decimalText),
        "category": .string(asset.category.spelling.text),
        "price": text(asset.quote?.price.text), "pricedAt": text(asset.quote?.pricedAt.text),
        "stale": flag(asset.quote?.isStale(at: snapshot.slot)), "value": text(asset.value?.text),
        "shownValue": text(view.shown(asset.value).value?.text),
      ])
    }
    var members = [
      JSONMember("slot", text(slot?.text)), JSONMember("assetCount", count(totals.assetCount)),
      JSONMember("value", .string(totals.value.text)),
      JSONMember("unpricedCount", count(totals.unpricedCount)),
      JSONMember("staleCount", count(totals.staleCount)), JSONMember("assets", .array(assets)),
      JSONMember("shownValue", text(shown.value?.text)),
      JSONMember("shownCurrency", text(shown.currencyCode)),
      JSONMember("provisional", .bool(view.digest == nil)),
    ]
    if let digest = view.digest { members.append(JSONMember("digest", .string(digest.text))) }
    return .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
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
