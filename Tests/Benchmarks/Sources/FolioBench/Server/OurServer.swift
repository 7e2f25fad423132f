import CBaseline
import FolioDomain
import FolioWire
import Foundation

/// `folio-server` on a port of this machine.
final class OurServer: LoadServer {
  let name: String
  let speech = load_folio
  let appended = "\"status\":\"ok\"}],\"type\":\"ack\"}\n"
  let folder: String
  private let program: String
  private let options: [String]
  private var process: ServerProcess
  private(set) var port: Int
  private let accountOf: (Int) -> Int

  /// Starts it with a new folder; `accounts` accounts are made, and the client with a number uses
  /// the one that `accountOf` tells.
  init(
    _ programs: Programs, _ folder: String, accounts: Int, options: [String] = [],
    accountOf: @escaping (Int) -> Int
  ) throws {
    program = programs.server
    self.folder = folder
    self.options = options
    self.accountOf = accountOf
    name = Command.firstLine(program, "--version") ?? "folio-server"
    for account in 0..<accounts {
      _ = try Command.run([program, "--data", folder, "account", "create", "a\(account)"])
    }
    (process, port) = try Self.start(program, folder, options)
  }

  var id: Int32 { process.id }

  private static func start(_ program: String, _ folder: String, _ options: [String]) throws -> (
    ServerProcess, Int
  ) {
    let process = try ServerProcess(
      [program, "--data", folder, "serve", "--listen", "127.0.0.1:0", "--log-level", "warning"]
        + options, log: folder + ".log")
    let port = try process.wait {
      process.words.firstMatch(of: #/"listening":"127.0.0.1:([0-9]+)"/#).flatMap { Int($0.1) }
    }
    return (process, port)
  }

  func connect(_ client: Int) throws -> LoadSocket {
    let socket = try LoadSocket(port: port)
    _ = try logIn(socket, client)
    return socket
  }

  /// Says who the client is; tells how its log stands.
  func logIn(_ socket: LoadSocket, _ client: Int) throws -> Ready {
    let software = Software(name: "folio-bench", version: "1")
    try ask(.hello(Hello(client: software, nonce: 1)), 1, socket)
    _ = try socket.line()
    let device = DeviceIdentity(id: LoadContent.device(client), instance: InstanceID(1))
    let auth = Authentication(account: "a\(accountOf(client))", device: device)
    try ask(.auth(auth), 2, socket)
    let line = try socket.line()
    guard case .reply(_, .ready(let ready)) = try Message(line: line) else {
      throw Command.Failed(
        description: "the server lets nobody in: \(String(decoding: line, as: UTF8.self))")
    }
    return ready
  }

  private func ask(_ request: Request, _ id: UInt64, _ socket: LoadSocket) throws {
    try socket.send(Message.request(RequestID(id), request).line)
  }

  func append(_ transaction: LoadTransaction, client: Int, request: Int) -> [UInt8] {
    LoadContent.before(request + 3) + transaction.bytes + LoadContent.after
  }

  func storedAfterRestart() throws -> Int {
    process.stop(SIGKILL)
    _ = try Command.run([program, "--data", folder, "verify"])
    let text = try Command.run([program, "--data", folder, "--json", "account", "list"])
    return text.matches(of: #/"entries":([0-9]+)/#).reduce(0) { $0 + (Int($1.1) ?? 0) }
  }

  func stop() { process.stop() }
}
