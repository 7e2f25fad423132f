import FolioApp
import FolioArguments
import FolioDomain
import FolioGateway
import FolioJSON
import FolioStore
import FolioSystem

extension Command {
  static let demo = Command(
    "demo", "The main job from start to end, on real figures of 2022, in a temporary folder",
    details: """
      A portfolio is entered offline and synced with a real server; a device is lost; a new one \
      restores everything and proves it, digest by digest. Ends with 70 where anything differs.
      """,
    session: { session in
      var demo = try Demo(session)
      try demo.play()
    })
}

/// The story that `folio demo` tells: each step is done for real, and checked.
struct Demo {
  private let session: Session
  private let stage: DemoStage
  private var stepNumber = 0

  init(_ session: Session) throws {
    self.session = session
    stage = try DemoStage(startingAt: "2022-08-01T09:30:00Z")
  }

  mutating func play() throws {
    try prepareServer()
    let phone = try enterOffline()
    try syncAndLookBack(phone)
    let tablet = try editOnTwoDevices(phone)
    try loseAndRestore(phone, tablet)
  }

  // MARK: The acts

  private mutating func prepareServer() throws {
    try tell("A server that has prices, and understands nobody's data")
    try Files.write(Array(DemoFigures.csv.utf8), to: stage.path("prices.csv"))
    try Files.write(Array(DemoFigures.assets.utf8), to: stage.path("assets.ndjson"))
    try stage.runServer("account create demo")
    try stage.runServer("prices import '\(stage.path("prices.csv"))'")
    try stage.runServer("assets import '\(stage.path("assets.ndjson"))'")
    try say(
      "\(DemoFigures.rows.count) prices of August to December 2022: euro reference rates of the "
        + "ECB, closing prices of three stocks, bitcoin at the close of each month")
  }

  private mutating func enterOffline() throws -> Store {
    try tell("A phone, offline: a portfolio is entered")
    let phone = try Store.create(at: stage.path("phone"), stage.options)
    for (asset, amount, category) in [
      ("stock:AAPL", "12", "Shares"), ("stock:KO", "40.5", "Shares"), ("stock:XOM", "25", "Shares"),
      ("forex:EUR", "1500", "Cash"), ("forex:JPY", "90000", "Cash"),
      ("crypto:bitcoin", "0.35", "Coins"),
    ] {
      let edit = Edit.add(
        try AssetKey(asset), try Amount(amount), category: try Category(named: category)
      )
      try phone.write { try $0.save([edit]) }
    }
    try show(phone)
    let bitcoin = try AssetKey("crypto:bitcoin")
    let cancelling = try phone.write {
      try $0.save([
        .add(bitcoin, try Amount("0.5"), category: nil),
        .add(bitcoin, try Amount("-0.5"), category: nil),
      ])
    }
    try check(cancelling.transaction == nil, "edits that cancel must make no transaction")
    try say("bought 0.5 bitcoin and sold them again, saved: nothing is to be sent")
    return phone
  }

  private mutating func syncAndLookBack(_ phone: Store) throws {
    try tell("The first sync; then the phone is away until October")
    let first = try sync(phone)
    try check(first.pushed == 6, "six transactions were to be sent, not \(first.pushed)")
    try stage.clock.set("2022-10-03T20:00:00Z")
    let second = try sync(phone)
    let slots = try phone.read { try $0.snapshotSlots() }
    try check(second.snapshots == slots?.count, "a snapshot was to be made for every slot")
    try say("63 days away: \(second.snapshots) snapshots, one for every six hours")

    try tell(
      "A sale, a category renamed, an asset deleted that was in a snapshot, and one that was not")
    let edits: [Edit] = [
      .add(try AssetKey("stock:XOM"), try Amount("-10"), category: nil),
      .renameCategory(try Category(named: "Shares").key, to: try Category(named: "Long term")),
      .delete(try AssetKey("forex:JPY")),
    ]
    let saved = try phone.write { try $0.save(edits) }
    let pound = try AssetKey("forex:GBP")
    try phone.write { try $0.save([.add(pound, try Amount("10"), category: nil)]) }
    let removed = try phone.write { try $0.save([.delete(pound)]) }
    try check(
      saved.outcomes.last == .zeroed(try AssetKey("forex:JPY")),
      "the yen were in a snapshot and stay, with amount 0")
    try check(removed.outcomes == [.removed(pound)], "the pounds were in none and are gone")
    try say("the yen were in a snapshot: they stay, with amount 0; the pounds were in none: gone")
    try sync(phone)
  }

  private mutating func editOnTwoDevices(_ phone: Store) throws -> Store {
    try tell("A second device joins; both edit at the same time, offline")
    let tablet = try Client.create(
      at: stage.path("tablet"), server: stage.serverURL, account: "demo",
      options: stage.appOptions)
    try sync(tablet)
    try stage.clock.set("2022-11-07T08:00:00Z")
    let bitcoin = try AssetKey("crypto:bitcoin")
    try phone.write { try $0.save([.add(bitcoin, try Amount("0.05"), category: nil)]) }
    try tablet.write {
      try $0.save([
        .add(bitcoin, try Amount("0.1"), category: nil),
        .move(try AssetKey("forex:EUR"), to: try Category(named: "Travel")),
      ])
    }
    try sync(phone)
    let told = try sync(tablet)
    try sync(phone)
    try check(told.changedOnBothSides == [bitcoin], "the tablet was to be told of the bitcoin")
    let amounts = try [phone, tablet].map { store in
      try store.read { try $0.holding(bitcoin)?.holding.amount.decimalText }
    }
    try check(amounts == ["0.5", "0.5"], "0.35 + 0.05 + 0.1 is 0.5 on both, not \(amounts)")
    try say("phone bought 0.05, tablet 0.1: both have \(amounts[0] ?? "")")
    return tablet
  }

  private mutating func loseAndRestore(_ phone: Store, _ tablet: Store) throws {
    try tell("December: the phone is synced, and lost")
    try stage.clock.set("2022-12-28T22:00:00Z")
    try sync(tablet)
    try sync(phone)
    let before = try digests(phone)
    let basis = try phone.read { try $0.digestBasis() }
    phone.close()
    try Files.removeTree(stage.path("phone"))
    try say("gone: \(stage.path("phone"))")

    try tell("A new phone restores everything from the server, and proves it")
    let restored = try Client.restore(
      at: stage.path("new phone"), server: stage.serverURL, account: "demo",
      options: stage.appOptions)
    let fresh = try Store.open(at: stage.path("new phone"), stage.options)
    defer { fresh.close() }
    try say(
      "\(restored.transactions.counted("transaction")), \(restored.priceTables.counted("price table")), "
        + "\(restored.snapshots.counted("snapshot"))")
    let after = try digests(fresh)
    try check(after == before, "a digest of the new phone differs from the lost one's")
    try check(try digests(tablet) == before, "a digest of the tablet differs")
    try check(try fresh.read { try $0.digestBasis() } == basis, "what the digests rest on differs")
    try check(try fresh.verify().isSound, "verify found a problem")
    for one in [before.first, before.last].compactMap({ $0 }) {
      try say("\(one.slot.text)  \(one.digest.text.prefix(32))...  lost = new")
    }
    try say("all \(before.count) digests of the lost phone, the tablet and the new phone are equal")

    try tell("What came of it, by category")
    let report = try fresh.read { try $0.report() }
    try session.console.say(
      .report(report),
      text: session.text(
        report, by: "category", CurrencyStyle(code: report.currency.id.text)))
    tablet.close()
  }

  // MARK: How it is told

  private mutating func tell(_ what: String) throws {
    stepNumber += 1
    try session.console.say(
      .row(["step": .count(stepNumber), "title": .string(what)]),
      text: "\n\(session.console.bold("\(stepNumber). \(what)"))\n")
  }

  private func say(_ what: String) throws {
    try session.console.say(.row(["said": .string(what)]), text: "   \(what)\n")
  }

  @discardableResult
  private func sync(_ store: Store) throws -> SyncSummary {
    let summary = try Client.sync(
      store, server: stage.serverURL, account: "demo", options: stage.appOptions)
    let name = store.path.split(separator: "/").last.map(String.init) ?? ""
    try say(
      "sync of the \(name): \(summary.pushed) sent, \(summary.pulled) received, "
        + "\(summary.priceTables.counted("price table")), \(summary.snapshots.counted("snapshot"))")
    return summary
  }

  private func show(_ store: Store) throws {
    let held = try store.read { try $0.holdings() }
    for holding in held.map(\.holding) {
      try say(
        "\(holding.amount.decimalText) \(holding.asset.text) in \(holding.category.spelling.text)")
    }
  }

  private func digests(_ store: Store) throws -> [SlotDigest] {
    try store.read { state in
      var digests: [SlotDigest] = []
      try state.snapshots { summary in
        guard let digest = summary.digest else {
          throw Failure(
            code: "demoFailed", message: "no digest of \(summary.slot.text)",
            hint: "this is a fault of the program; report it", exit: .internal)
        }
        digests.append(SlotDigest(slot: summary.slot, digest: digest))
      }
      return digests
    }
  }

  private func check(_ holds: Bool, _ what: String) throws {
    guard holds else {
      throw Failure(
        code: "demoFailed", message: what, hint: "this is a fault of the program; report it",
        exit: .internal)
    }
  }
}

/// A snapshot's digest.
private struct SlotDigest: Equatable {
  var slot: Slot
  var digest: Hash256
}
