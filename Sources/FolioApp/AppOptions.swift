public import FolioCrypto
public import FolioDomain
public import FolioGateway
public import FolioStore
public import FolioSystem
package import FolioTransport

/// What the flows of a client run on, passed in so that a test decides it.
public struct AppOptions: Sendable {
  /// The wall clock.
  public var clock: any WallClock
  /// Where ids, and the jitter of waits, come from.
  public var random: any RandomSource
  /// By which deadlines are kept.
  public var monotonic: any MonotonicClock = SystemMonotonicClock()
  /// How many attempts to sync in a row may end without progress; nil to try for ever.
  public var attemptsMax: Int? = 5
  /// The program's name and version, as a server's logs show them.
  public var client = ClientName()
  /// Makes connections in place of `ServerURL.connect`, in tests and simulations.
  package var connect: (@Sendable (ServerURL) throws -> any ByteConnection)?

  /// The usual options, with that clock and that source of ids.
  public init(clock: any WallClock = SystemClock(), random: any RandomSource = SystemRandom()) {
    self.clock = clock
    self.random = random
  }

  /// What a store is opened with.
  public var store: StoreOptions { StoreOptions(clock: clock, random: random) }

  /// Connects to a server, or starts its command.
  func connect(to server: ServerURL) throws -> any ByteConnection {
    if let connect { return try connect(server) }
    // A server that this process starts takes the same moment for the present.
    let isSet = ProcessEnvironment.value(of: "FOLIO_CLOCK") != nil
    let variables = isSet ? ["FOLIO_CLOCK": clock.now().text] : [:]
    return try server.connect(variables: variables, clock: monotonic)
  }
}
