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
    let (found, display) = try read { state in
      let display = try Display(state)
      var found: [SnapshotSummary] = []
      try state.snapshots(from: from, to: to, rateOf: display.currency) { found.append($0) }
      return (found, display)
    }
    noteUnpriced(display)
    var table = TextTable([
      .left("slot"), .right("assets"), .right("value"), .right("unpriced"), .right("stale"),
      .left("digest"),
    ])
    var rows: [JSONValue] = []
    for summary in found {
      let totals = summary.totals
      let shown = display.shown(totals?.value, at: summary.rate)
      rows.append(.snapshot(summary, shown))
      table.add([
        summary.slot.text, totals.map { "\($0.assetCount)" } ?? "",
        totals == nil ? "out of date" : shown.text,
        totals.map { "\($0.unpricedCount)" } ?? "", totals.map { "\($0.staleCount)" } ?? "",
        summary.digest.map { String($0.text.prefix(16)) } ?? "",
      ])
    }
    try console.say(rows: rows, text: found.isEmpty ? "no snapshots\n" : table.text)
  }

  fileprivate func showSnapshot() throws {
    let word = try invocation.required("SLOT")
    let slot = word == "now" ? nil : try Slot(word)
    let (view, known, display) = try read { state in
      let display = try Display(state)
      return (
        try SnapshotView(state, slot, display),
        try state.status().market == nil, display
      )
    }
    noteUnpriced(display)
    try console.say(
      .snapshot(view, slot: known ? nil : view.snapshot.slot), text: text(view))
  }

  private func text(_ view: SnapshotView) -> String {
    var table = TextTable([
      .left("asset"), .right("amount"), .right(view.priceTitle), .left("priced at"),
      .right("value"),
      .left("category"),
    ])
    let snapshot = view.snapshot
    for asset in snapshot.assets {
      let isStale = asset.quote?.isStale(at: snapshot.slot) == true
      table.add([
        asset.asset.text, asset.amount.decimalText, asset.quote?.price.text ?? "unpriced",
        asset.quote.map { $0.pricedAt.text + (isStale ? " (stale)" : "") } ?? "",
        view.shown(asset.value).text, asset.category.spelling.text,
      ])
    }
    let totals = snapshot.totals
    let title = view.digest == nil ? "now, provisional" : snapshot.slot.text
    let end = view.digest.map { "digest \($0.text)\n" } ?? ""
    return "\(title): \(view.shown(totals.value).text), \(totals.assetCount.counted("asset")), "
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

/// A snapshot with what it takes to show it.
struct SnapshotView {
  let snapshot: Snapshot
  /// Its digest; nil for the provisional one.
  let digest: Hash256?
  private let display: Display
  /// The rate of the currency that is shown, in the snapshot's slot.
  private let rate: Quote?

  /// The snapshot of a closed slot; that of the present where it is nil.
  init(_ state: borrowing StoreReadTransaction, _ slot: Slot?, _ display: Display) throws {
    self.display = display
    guard let slot else {
      snapshot = try state.provisionalSnapshot()
      digest = nil
      rate = try display.currency.flatMap { try state.presentQuote(of: $0) }
      return
    }
    snapshot = try state.snapshot(slot)
    digest = try state.snapshotDigest(slot)
    rate = try display.currency.flatMap { try state.quote(of: $0, in: slot) }
  }

  /// The title of a column of prices.
  var priceTitle: String { display.priceTitle }

  /// A value of the snapshot, by the rate of its own slot.
  func shown(_ value: Value?) -> ShownValue { display.shown(value, at: rate) }
}
