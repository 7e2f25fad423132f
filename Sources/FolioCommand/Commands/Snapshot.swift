import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

extension Command {
  static let snapshot = Command(
    "snapshot", "List and show snapshots, and their digests",
    [
      Command(
        "list", "List the snapshots of closed slots",
        options: [
          Option("from", "SLOT", "From this slot on, like 2026-01-01T06Z"),
          Option("to", "SLOT", "Up to this slot"),
        ],
        session: { session in try session.listSnapshots() }),
      Command(
        "show", "Show what was held at a slot, and what it was worth",
        arguments: [Argument("SLOT", "The slot, or 'now' for the present state")],
        session: { session in try session.showSnapshot() }),
      Command(
        "digest", "Show a snapshot's digest, and what it rests on",
        arguments: [
          Argument("SLOT", "The slot; the latest closed one without it", isOptional: true)
        ],
        session: { session in try session.showDigest() }),
    ])
}

extension Session {
  fileprivate func listSnapshots() throws {
    let from = try invocation.slot("from")
    let to = try invocation.slot("to")
    let (found, code) = try read { state in
      var found: [SnapshotSummary] = []
      try state.snapshots(from: from, to: to) { found.append($0) }
      return (found, try state.status().baseCurrency)
    }
    let base = CurrencyStyle(code: code)
    var table = TextTable([
      .left("slot"), .right("assets"), .right("value"), .right("unpriced"), .right("stale"),
      .left("digest"),
    ])
    for summary in found {
      let totals = summary.totals
      table.add([
        summary.slot.text, totals.map { "\($0.assetCount)" } ?? "",
        totals?.value.displayText(in: base) ?? "out of date",
        totals.map { "\($0.unpricedCount)" } ?? "", totals.map { "\($0.staleCount)" } ?? "",
        summary.digest.map { String($0.text.prefix(16)) } ?? "",
      ])
    }
    try console.say(
      rows: found.map { JSONValue.snapshot($0) },
      text: found.isEmpty ? "no snapshots\n" : table.text)
  }

  fileprivate func showSnapshot() throws {
    let word = try invocation.required("SLOT")
    let slot = word == "now" ? nil : try Slot(word)
    let (snapshot, digest, status) = try read { state in
      (
        try slot.map { try state.snapshot($0) } ?? state.provisionalSnapshot(),
        try slot.map { try state.snapshotDigest($0) }, try state.status()
      )
    }
    let known = status.market == nil ? nil : snapshot.slot
    try console.say(
      .snapshot(snapshot, slot: known, digest: digest),
      text: text(snapshot, digest, CurrencyStyle(code: status.baseCurrency)))
  }

  private func text(_ snapshot: Snapshot, _ digest: Hash256?, _ base: CurrencyStyle) -> String {
    var table = TextTable([
      .left("asset"), .right("amount"), .right("price"), .left("priced at"), .right("value"),
      .left("category"),
    ])
    for asset in snapshot.assets {
      let isStale = asset.quote?.isStale(at: snapshot.slot) == true
      table.add([
        asset.asset.text, asset.amount.decimalText, asset.quote?.price.text ?? "unpriced",
        asset.quote.map { $0.pricedAt.text + (isStale ? " (stale)" : "") } ?? "",
        asset.value?.displayText(in: base) ?? "-", asset.category.spelling.text,
      ])
    }
    let totals = snapshot.totals
    let title = digest == nil ? "now, provisional" : snapshot.slot.text
    let end = digest.map { "digest \($0.text)\n" } ?? ""
    return "\(title): \(totals.value.displayText(in: base)), \(totals.assetCount) assets, "
      + "\(totals.unpricedCount) unpriced, \(totals.staleCount) stale\n" + table.text + end
  }

  fileprivate func showDigest() throws {
    let named = try invocation.argument("SLOT").map { try Slot($0) }
    let (slot, digest, basis) = try read { state in
      guard let slot = try named ?? state.snapshotSlots()?.upperBound else {
        throw StoreError.noSnapshots
      }
      return (slot, try state.snapshotDigest(slot), try state.digestBasis())
    }
    let head = basis.position.map { "\($0.seq)" } ?? "none"
    try console.say(
      .digest(slot, digest, basis),
      text: "\(slot.text)  \(digest.text)\nstate  \(basis.stateDigest.text)  at entry \(head)")
  }
}
