import CBaseline
import Foundation

/// PostgreSQL, with a row for each transaction under its id, in a table with that one index.
final class PostgresServer: LoadServer {
  let name: String
  let speech = load_postgres
  let appended = ""
  private let folder: String
  private let programs: String
  private let port: Int
  private let user: String?
  private let maximum: Int
  private var process: ServerProcess

  /// Starts it with a new folder; nil where it is not installed.
  init?(_ folder: String, clients: Int) throws {
    guard let programs = Self.programs else { return nil }
    self.programs = programs
    self.folder = folder
    maximum = clients
    name = Self.version ?? "PostgreSQL"
    port = Int(load_free_port())
    // It does not run as root.
    user = getuid() == 0 ? "postgres" : nil
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if let user { _ = try Command.run(["chown", user, folder]) }
    let change = user.map { ["setpriv", "--reuid", $0, "--regid", $0, "--clear-groups", "--"] }
    _ = try Command.run(
      (change ?? []) + [
        "\(programs)/initdb", "-D", folder, "-U", "bench", "-A", "trust", "-E", "UTF8",
        "--no-locale",
      ])
    process = try Self.start(folder, programs, port, user, clients)
    let socket = try connected()
    try Self.run(
      "CREATE TABLE entries (id uuid PRIMARY KEY, body bytea NOT NULL)", socket)
  }

  /// The program and its version, where it is installed.
  static var version: String? {
    programs.flatMap { Command.firstLine("\($0)/postgres", "--version") }
      .flatMap { $0.firstMatch(of: #/[0-9.]+/#) }.map { "PostgreSQL \($0.0)" }
  }

  private static var programs: String? {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let installed = versions.filter {
      FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/initdb")
    }
    return installed.max { (Int($0) ?? 0) < (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
  }

  /// Durable as it comes; with the memory that its manual advises for a machine of its own, and no
  /// checkpoint in the middle of a round.
  private static func start(
    _ folder: String, _ programs: String, _ port: Int, _ user: String?, _ clients: Int
  ) throws -> ServerProcess {
    let settings = [
      "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=on",
      "synchronous_commit=on", "max_connections=\(clients + 10)", "shared_buffers=1GB",
      "max_wal_size=8GB", "checkpoint_timeout=30min",
    ]
    let process = try ServerProcess(
      ["\(programs)/postgres", "-D", folder, "-p", "\(port)"]
        + settings.flatMap { ["-c", $0] }, log: folder + ".log", as: user)
    try process.wait { try Self.connected(port) }
    return process
  }

  private func connected() throws -> LoadSocket { try Self.connected(port) }

  /// A connection that is ready for a query.
  @discardableResult
  private static func connected(_ port: Int) throws -> LoadSocket {
    let socket = try LoadSocket(port: port)
    let words = "user\0bench\0database\0postgres\0\0"
    try socket.send(integer(8 + words.utf8.count) + integer(196_608) + Array(words.utf8))
    try untilReady(socket)
    return socket
  }

  private static func integer(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: Int32(value).bigEndian) { Array($0) }
  }

  private static func short(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: Int16(value).bigEndian) { Array($0) }
  }

  private static func message(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + integer(content.count + 4) + content
  }

  /// The contents of the messages up to the one that says it is ready, by their types.
  @discardableResult
  private static func untilReady(_ socket: LoadSocket) throws -> [(type: UInt8, content: [UInt8])] {
    var messages: [(type: UInt8, content: [UInt8])] = []
    while true {
      let head = try socket.bytes(5)
      let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
      let content = try socket.bytes(length - 4)
      guard head[0] != UInt8(ascii: "E") else {
        throw Command.Failed(
          description: "PostgreSQL: \(String(decoding: content, as: UTF8.self))")
      }
      messages.append((head[0], content))
      if head[0] == UInt8(ascii: "Z") { return messages }
    }
  }

  @discardableResult
  private static func run(_ query: String, _ socket: LoadSocket) throws -> [(
    type: UInt8, content: [UInt8]
  )] {
    try socket.send(message("Q", Array(query.utf8) + [0]))
    return try untilReady(socket)
  }

  func connect(_ client: Int) throws -> LoadSocket {
    let socket = try connected()
    let statement = "append\0INSERT INTO entries VALUES ($1, $2) ON CONFLICT DO NOTHING\0"
    try socket.send(
      Self.message("P", Array(statement.utf8) + Self.short(0)) + Self.message("S", []))
    try Self.untilReady(socket)
    return socket
  }

  func append(_ transaction: LoadTransaction, client: Int, request: Int) -> [UInt8] {
    // Bound to the prepared statement, both values binary; executed; its transaction ended.
    var bind = Array("\0append\0".utf8)
    bind += Self.short(1) + Self.short(1) + Self.short(2)
    bind += Self.integer(16) + withUnsafeBytes(of: transaction.id.bigEndian) { Array($0) }
    bind += Self.integer(transaction.bytes.count) + transaction.bytes
    bind += Self.short(0)
    return Self.message("B", bind) + Self.message("E", [0] + Self.integer(0))
      + Self.message("S", [])
  }

  func storedAfterRestart() throws -> Int {
    // At once, as in a crash: what it has then comes from its log.
    process.stop(SIGQUIT)
    process = try Self.start(folder, programs, port, user, maximum)
    let rows = try Self.run("SELECT count(*) FROM entries", connected())
    guard let row = rows.first(where: { $0.type == UInt8(ascii: "D") }) else { return 0 }
    return Int(String(decoding: row.content.dropFirst(6), as: UTF8.self)) ?? 0
  }

  func stop() { process.stop(SIGINT) }
}
