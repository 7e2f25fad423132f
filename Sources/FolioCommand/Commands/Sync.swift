import FolioApp
import FolioArguments
import FolioCrypto
import FolioDomain
import FolioGateway
import FolioJSON
import FolioStore

extension Command {
  private static let server = Option(
    "server", "URL", "The server: stdio:COMMAND, or tcp://host:port on this machine")
  private static let account = Option("account", "NAME", "The account on the server")

  static let initialize = Command(
    "init", "Make a store; with a server it joins the account at once",
    options: [server, account], session: { session in try session.initialize() })

  static let sync = Command(
    "sync", "Send what waits, receive what is new, make the snapshots that are due",
    options: [
      server, account,
      Option("accept-shorter-log", "Take the server's log as it is, though it lacks entries"),
    ],
    session: { session in try session.sync() })

  static let restore = Command(
    "restore", "Make a new store from what the server keeps, and verify it",
    options: [
      Option("server", "URL", "The server", isRequired: true),
      Option("account", "NAME", "The account on the server", isRequired: true),
    ],
    session: { session in try session.restore() })
}

extension Session {
  private var appOptions: AppOptions { AppOptions(clock: clock, random: SystemRandom()) }

  fileprivate func initialize() throws {
    let path = try storePath()
    let server = invocation.option("server")
    let account = invocation.option("account")
    let store = try Client.create(at: path, server: server, account: account, options: appOptions)
    defer { store.close() }
    let status = try store.read { try $0.status() }
    try console.say(
      .row([
        "store": .string(path), "device": .string(status.device.text), "account": .text(account),
        "recoveryKey": .null,
      ]), text: "store \(path), device \(status.device.text)")
  }

  fileprivate func sync() throws {
    try withStore { store in
      defer { console.endProgress() }
      let summary = try Client.sync(
        store, server: invocation.option("server"), account: invocation.option("account"),
        acceptShorterLog: invocation.flag("accept-shorter-log"), options: appOptions
      ) { show($0) }
      console.endProgress()
      try console.say(.sync(summary), text: text(summary))
    }
  }

  fileprivate func restore() throws {
    defer { console.endProgress() }
    let restored = try Client.restore(
      at: try storePath(), server: try invocation.required("server"),
      account: try invocation.required("account"), options: appOptions
    ) { show($0) }
    console.endProgress()
    try console.say(.restored(restored), text: text(restored))
    if case .differs = restored.witness { throw ExitRequest(.data) }
  }

  private func show(_ progress: SyncProgress) {
    switch progress {
    case .connected(let server): console.progress("connected to \(server)", 0, of: nil)
    case .pulled(let count, let total): console.progress("entries", count, of: total)
    case .pushed(let count): console.progress("transactions", count, of: nil)
    case .refilled(let count, let total): console.progress("entries given back", count, of: total)
    case .tables(let count): console.progress("price tables", count, of: nil)
    case .makingSnapshots: console.progress("snapshots", 0, of: nil)
    case .waiting(let pause, let reason):
      console.progress("\(reason.message); waiting, seconds", Int(pause / 1_000), of: nil)
    }
  }

  private func text(_ summary: SyncSummary) -> String {
    var lines = [
      "sent \(summary.pushed), received \(summary.pulled), \(summary.priceTables) price tables, "
        + "\(summary.snapshots) snapshots made, \(summary.remade) made anew"
    ]
    if summary.refilled > 0 {
      lines.append("the server lacked \(summary.refilled) entries: given back")
    }
    if let device = summary.newDevice {
      lines.append("this store was a copy: it is now device \(device.text)")
    }
    for asset in summary.changedOnBothSides { lines.append("changed on both sides: \(asset.text)") }
    for one in summary.rejected { lines.append("rejected: \(one.id.text) (\(one.reason))") }
    if summary.skewMilliseconds.magnitude > 60_000 {
      lines.append("this device's clock is \(summary.skewMilliseconds / 1_000) s off the server's")
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ restored: RestoreSummary) -> String {
    """
    \(restored.transactions) transactions, compressed to \(restored.compressedTo) rows
    \(restored.priceTables) price tables, \(restored.snapshots) snapshots
    \(restored.assets) assets, \(restored.documents) documents
    digest \(restored.digest?.text ?? "none: no slot has closed")
    the chain is verified; \(restored.witness.text)
    """
  }
}
