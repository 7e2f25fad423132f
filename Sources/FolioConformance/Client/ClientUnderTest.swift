import FolioDomain
import FolioSystem
import FolioTransport

/// A client as it is checked: a command that makes a transaction and syncs.
public struct ClientUnderTest: Sendable {
  /// What the shell runs; `{url}` in it stands for the server's URL.
  public var command: String
  /// The name of the account that the model server has; any other is let in too.
  public var account: String
  /// How long one run may take.
  public var patience = Duration.seconds(60)
  /// Whether what it writes is shown.
  public var showsErrors = false
  let ids = Ids()

  /// The client that `command` runs.
  public init(command: String, account: String) {
    self.command = command
    self.account = account
  }
}

/// A client's store, the model server it syncs with, and the runs of the command between them.
final class Trial {
  let server: ModelServer
  let client: ClientUnderTest
  private let folder: ScratchFolder

  init(_ client: ClientUnderTest) throws {
    self.client = client
    folder = try ScratchFolder(client.ids)
    server = ModelServer(ids: client.ids, clock: SystemClock())
  }

  /// Runs the command to its end; gives whether it says that it has succeeded.
  @discardableResult
  func run() throws -> Bool {
    let run = try ClientRun(self, folder: folder.path)
    let exit = try unwrap(try run.serve(), "the client did not end in time")
    // One that never says anything cannot be found wrong by what it does not do.
    try expect(!server.received.isEmpty, "the client sent nothing to the server")
    if let violation = server.violations.first {
      throw CheckFailure("the client sent \(violation)")
    }
    guard case .status(let status) = exit else { throw CheckFailure("the client \(exit)") }
    return status == 0
  }

  /// Runs the command for so long, and then ends it.
  func run(for duration: Duration) throws {
    let run = try ClientRun(self, folder: folder.path, patience: duration)
    let exit = try run.serve()
    try expect(!server.received.isEmpty, "the client sent nothing to the server")
    guard case .status(0)? = exit else { return }
    throw CheckFailure("the client says that it has succeeded")
  }

  /// Runs the command, which must succeed.
  func runWell(_ what: String) throws {
    try expect(try run(), "the client did not succeed: \(what)")
  }

  /// Runs the command, which must not say that it has succeeded.
  func runBadly(_ what: String) throws {
    try expect(try !run(), "the client says that it has succeeded: \(what)")
  }
}

/// One run of the command against the model server.
private final class ClientRun {
  private let loop: EventLoop
  private let child: ChildProcess?
  private let connection: DescriptorConnection
  private let deadline: MonotonicTime
  private var exit: ChildExit?

  init(_ trial: Trial, folder: String, patience: Duration? = nil) throws {
    let client = trial.client
    do throws(TransportError) {
      loop = try EventLoop()
      let server = trial.server
      let address = try loop.listen(on: LoopbackAddress(port: 0)) { _ in
        ModelHandler(server.connect())
      }
      let url = "tcp://\(address)"
      let silence = client.showsErrors ? "exec >&2\n" : "exec >/dev/null 2>&1\n"
      connection = try ChildProcess.start(
        silence + client.command.replacing("{url}", with: url),
        variables: [
          "FOLIO_CONFORMANCE_URL": url, "FOLIO_CONFORMANCE_FOLDER": folder,
          "FOLIO_CONFORMANCE_ACCOUNT": client.account,
        ], ownGroup: true)
    } catch {
      throw CheckFailure("the command was not started: \(error.message)")
    }
    connection.finishSending()
    child = connection.child
    deadline = loop.clock.now() + (patience ?? client.patience)
  }

  /// Serves until the command has ended; one that does not end in time is ended, and gives nil.
  func serve() throws -> ChildExit? {
    look()
    do throws(TransportError) {
      try loop.run()
    } catch {
      throw CheckFailure("the model server failed: \(error.message)")
    }
    if exit == nil { child?.send(.terminate) }
    connection.close()
    return exit
  }

  private func look() {
    exit = child?.exitIfEnded()
    if exit != nil || loop.clock.now() >= deadline { return loop.stop() }
    loop.setTimer(at: loop.clock.now() + .milliseconds(10)) { [unowned self] in look() }
  }
}

/// Carries bytes between the loop and a model connection.
private final class ModelHandler: ConnectionHandler {
  private let model: ModelConnection

  init(_ model: ModelConnection) { self.model = model }

  func received(_ bytes: UnsafeRawBufferPointer, on connection: LoopConnection) {
    let output = model.receive(bytes)
    for piece in output.pieces { connection.send(piece) }
    if output.closes { connection.close() }
  }

  func ended(_ reason: ConnectionEnd, on connection: LoopConnection) { model.isOver = true }
}

/// A folder that goes when the value does.
private final class ScratchFolder {
  let path: String

  init(_ ids: Ids) throws {
    let parent = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
    path = "\(parent)/folio-conformance-\(String(ids.nonce(), radix: 16))"
    do throws(FileError) {
      try Files.makeFolder(path)
    } catch {
      throw CheckFailure("no folder for the client: \(error.message)")
    }
  }

  deinit {
    do { try Files.removeTree(path) } catch { /* It is under the system's own scratch folder. */  }
  }
}
