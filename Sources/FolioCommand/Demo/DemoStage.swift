import FolioApp
import FolioArguments
import FolioCrypto
import FolioDomain
import FolioStore
import FolioSystem
import FolioTransport
import Synchronization

/// What the demo plays on: a temporary folder, a clock that it sets itself, and a real server.
final class DemoStage: Sendable {
  let folder: ScratchFolder
  let clock: DemoClock
  private let serverProgram: String

  init(startingAt moment: String) throws {
    folder = try ScratchFolder(prefix: "folio-demo-")
    clock = DemoClock(try Timestamp(moment))
    serverProgram = try Self.findServer()
  }

  /// The server's program: `folio-server` beside this one, else in the path.
  private static func findServer() throws -> String {
    if let own = RunningProgram.path {
      let beside = Files.parent(of: own) + "/folio-server"
      if try Files.kind(of: beside) != nil { return beside }
    }
    return "folio-server"
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// The server as a device starts it: it takes the demo's time for its own.
  var serverURL: String {
    "stdio:FOLIO_CLOCK=\(clock.now().text) '\(serverProgram)' --data '\(path("server"))'"
      + " serve --stdio --account demo"
  }

  var options: StoreOptions { StoreOptions(clock: clock, random: SystemRandom()) }

  var appOptions: AppOptions { AppOptions(clock: clock, random: SystemRandom()) }

  /// Runs a command of the server to its end.
  func runServer(_ command: String) throws {
    let line =
      "FOLIO_CLOCK=\(clock.now().text) '\(serverProgram)' --quiet --data '\(path("server"))' "
    let connection = try ChildProcess.start(line + command)
    defer { connection.close() }
    connection.finishSending()
    let limit = SystemMonotonicClock().now() + .seconds(60)
    let exit = connection.child?.waitForExit(until: limit)
    guard exit == .status(0) else {
      throw Failure(
        code: "demoServer", message: "folio-server \(command) \(exit.map { "\($0)" } ?? "hung")",
        hint: "is folio-server beside folio?", exit: .unavailable)
    }
  }
}

/// A clock that stands still until it is set.
final class DemoClock: WallClock {
  private let moment: Mutex<Timestamp>

  init(_ moment: Timestamp) { self.moment = Mutex(moment) }

  func now() -> Timestamp { moment.withLock { $0 } }

  func set(_ text: String) throws {
    let next = try Timestamp(text)
    moment.withLock { $0 = next }
  }
}
