import FolioDomain
import FolioTransport
import FolioWire

/// A server as it is checked: a command that speaks over its standard streams.
public struct ServerUnderTest: Sendable {
  /// What the shell runs; each connection is a run of it.
  public var command: String
  /// The name of an account that it has.
  public var account: String
  /// How long it may take to answer.
  public var patience = Duration.seconds(10)
  /// Whether what it writes to standard error is shown.
  public var showsErrors = false
  let ids = Ids()

  /// The server that `command` runs, with an account of that name.
  public init(command: String, account: String) {
    self.command = command
    self.account = account
  }

  /// A new connection, on which nothing was said.
  func connect() throws -> Dialogue {
    let line = showsErrors ? command : "exec 2>/dev/null\n\(command)"
    do throws(TransportError) {
      return Dialogue(try ChildProcess.start(line, ownGroup: true), patience: patience)
    } catch {
      throw CheckFailure("the command was not started: \(error.message)")
    }
  }

  /// A greeting.
  func hello(_ versions: [Int] = [1], capabilities: [String] = []) -> Hello {
    Hello(
      versions: versions, capabilities: capabilities,
      client: Software(name: "folio-conformance", version: "1"), nonce: ids.nonce())
  }

  func authentication(
    _ device: DeviceID, account: String? = nil, points: [LogPosition] = []
  ) -> Authentication {
    Authentication(
      account: account ?? self.account,
      device: DeviceIdentity(id: device, instance: ids.instance()), points: points)
  }

  /// A connection on which the handshake is done.
  func logIn(_ device: DeviceID? = nil, points: [LogPosition] = []) throws -> LoggedIn {
    let dialogue = try connect()
    guard case .welcome(let welcome) = try dialogue.ask(.hello(hello())) else {
      throw CheckFailure("hello was answered with something else")
    }
    let device = device ?? ids.device()
    let request = authentication(device, points: points)
    guard case .ready(let ready) = try dialogue.ask(.auth(request)) else {
      throw CheckFailure("auth was answered with something else")
    }
    return LoggedIn(dialogue: dialogue, welcome: welcome, ready: ready, device: device)
  }
}

/// A conversation whose handshake is done.
struct LoggedIn {
  var dialogue: Dialogue
  var welcome: Welcome
  var ready: Ready
  var device: DeviceID

  func push(_ transactions: [PushedTransaction]) throws -> Ack {
    guard case .ack(let ack) = try dialogue.ask(.push(Push(transactions: transactions))) else {
      throw CheckFailure("push was answered with something else")
    }
    try expect(ack.results.count, is: transactions.count, "the number of results")
    return ack
  }

  func push(_ transactions: Envelope...) throws -> Ack {
    try push(transactions.map { PushedTransaction($0) })
  }

  func pull(
    after position: LogPosition, maxEntries: Int = 1_000, maxBytes: Int = 500_000,
    own: OwnEntries? = nil
  ) throws -> Page {
    let request = Pull(after: position, maxEntries: maxEntries, maxBytes: maxBytes, own: own)
    guard case .page(let page) = try dialogue.ask(.pull(request)) else {
      throw CheckFailure("pull was answered with something else")
    }
    return page
  }

  /// Everything after a place, checked against the chain.
  func read(after position: LogPosition) throws -> [WireEntry] {
    var position = position
    var entries: [WireEntry] = []
    while true {
      let page = try pull(after: position)
      position = try check(page, after: position)
      entries += page.entries
      if !page.more { return entries }
      try expect(!page.entries.isEmpty, "a page says that there is more and has no entry")
    }
  }
}
