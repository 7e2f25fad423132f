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
      Option(
        "keep", "SIDE", "After a restore from a backup, which side counts: server, or backup"),
      Option("adopt-account", "Give all that is here to the account that the server has now"),
    ],
    session: { session in try session.sync() })

  static let restore = Command(
    "restore", "Make a new store from what the server keeps or from a backup, and verify it",
    details: "The first sync of a store from a backup asks which side counts.",
    options: [
      Option("server", "URL", "The server"),
      Option("account", "NAME", "The account on the server"),
      Option("from", "FILE", "A backup, in place of a server"),
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
    var answers = SyncAnswers(
      acceptsShorterLog: invocation.flag("accept-shorter-log"),
      adoptsAccount: invocation.flag("adopt-account"), keep: try keptSide())
    try withStore { store in
      var asked: Set<String> = []
      while true {
        do {
          return try sync(store, answers)
        } catch SyncError.decisionNeeded(let decision) {
          guard asked.insert(decision.code).inserted, let answer = ask(decision) else {
            throw SyncError.decisionNeeded(decision)
          }
          answers.take(answer)
        }
      }
    }
  }

  private func sync(_ store: Store, _ answers: SyncAnswers) throws {
    defer { console.endProgress() }
    let summary = try Client.sync(
      store, server: invocation.option("server"), account: invocation.option("account"),
      answers: answers, options: appOptions
    ) { show($0) }
    console.endProgress()
    try console.say(.sync(summary), text: summary.text)
  }

  private func keptSide() throws -> KeptSide? {
    guard let text = invocation.option("keep") else { return nil }
    guard let side = KeptSide(rawValue: text) else {
      throw Failure.usage("'\(text)' is no side", hint: "--keep server, or --keep backup")
    }
    return side
  }

  /// Asks a person who is at a terminal; nil where nobody is, or there is no answer.
  private func ask(_ decision: SyncDecision) -> SyncAnswer? {
    let choices = decision.answers
    return console.ask(decision.message, choices.map(\.text)).map { choices[$0] }
  }

  fileprivate func restore() throws {
    defer { console.endProgress() }
    let restored = try restored()
    console.endProgress()
    let isCopy = invocation.option("from") != nil
    let say = { try console.say(.restored(restored), text: restored.text(isCopy: isCopy)) }
    guard case .differs = restored.witness else { return try say() }
    try console.end(with: ExitRequest(.data), say)
  }

  private func restored() throws -> RestoreSummary {
    let path = try storePath()
    let server = invocation.option("server")
    let account = invocation.option("account")
    if let backup = invocation.option("from") {
      guard server == nil, account == nil else {
        throw Failure.usage(
          "a store is restored from a server or from a backup", hint: "leave one of them out")
      }
      return try Client.restore(at: path, fromBackup: backup, options: appOptions)
    }
    guard let server, let account else {
      throw Failure.usage(
        "where to restore from is not said", hint: "--server URL --account NAME, or --from FILE")
    }
    return try Client.restore(at: path, server: server, account: account, options: appOptions) {
      show($0)
    }
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
}
