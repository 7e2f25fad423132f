import FolioApp
import FolioArguments
import FolioCrypto
import FolioDomain
import FolioStore
import FolioSystem

/// One run of a command: what was typed, where answers go, and the store it is about.
struct Session {
  let invocation: Invocation
  let console: Console
  let clock: any WallClock

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    console = Console(invocation)
    clock = try ProcessEnvironment.wallClock()
  }

  /// The folder that `--store` names, else the environment, else the data folder.
  func storePath() throws -> String {
    if let path = invocation.option("store") ?? ProcessEnvironment.value(of: "FOLIO_STORE") {
      return path
    }
    guard let folder = ProcessEnvironment.dataFolder(for: "folio") else {
      throw Failure.usage("no folder for the store", hint: "name one with --store DIR")
    }
    return folder
  }

  /// What a store is opened with.
  var options: StoreOptions { StoreOptions(clock: clock, random: SystemRandom()) }

  /// Calls `body` with the open store, which nobody else may have open where it is exclusive, and
  /// closes it.
  func withStore<R>(exclusive: Bool = false, _ body: (Store) throws -> R) throws -> R {
    var options = options
    options.exclusive = exclusive
    let store = try Store.open(at: try storePath(), options)
    defer { store.close() }
    return try body(store)
  }

  /// Calls `body` with the portfolio of the store, and closes it.
  func withPortfolio<R>(_ body: (Portfolio) throws -> R) throws -> R {
    try withStore { try body(Portfolio($0, options: AppOptions(clock: clock))) }
  }

  /// Calls `body` with one state of the store.
  func read<R>(_ body: (borrowing StoreReadTransaction) throws -> R) throws -> R {
    try withStore { store in try store.read(body) }
  }
}

extension Command {
  /// A command that works with a session.
  init(
    _ name: String, _ summary: String, details: String = "", arguments: [Argument] = [],
    options: [Option] = [], session: @escaping @Sendable (Session) throws -> Void
  ) {
    self.init(name, summary, details: details, arguments: arguments, options: options) {
      try session(Session($0))
    }
  }
}

extension Invocation {
  /// An asset given by position.
  func asset(_ name: String = "ASSET") throws -> AssetKey {
    try AssetKey(try required(name))
  }

  /// A category given for an option.
  func category(_ name: String = "category") throws -> Category? {
    try option(name).map { try Category(named: $0) }
  }

  /// A currency given for an option, by its code.
  func currency(_ name: String) throws -> AssetKey? {
    try option(name).map {
      AssetKey(type: AssetType(unchecked: "forex"), id: try AssetID(validating: $0))
    }
  }

  /// A slot given for an option.
  func slot(_ name: String) throws -> Slot? {
    try option(name).map { try Slot($0) }
  }
}
