import CBaseline
import Foundation

/// Redis, which appends to a list for each account and syncs its file before it answers.
final class RedisServer: LoadServer {
  let name: String
  let speech = load_redis
  let appended = ":"
  private let folder: String
  private let port: Int
  private var process: ServerProcess
  private let lists: Int
  private let listOf: (Int) -> Int

  /// The program and its version, where it is installed.
  static var version: String? {
    Command.firstLine("redis-server", "--version")
      .flatMap { $0.firstMatch(of: #/v=([0-9.]+)/#) }.map { "Redis \($0.1)" }
  }

  /// Starts it with a new folder; nil where it is not installed.
  init?(_ folder: String, lists: Int, listOf: @escaping (Int) -> Int) throws {
    guard let version = Self.version else { return nil }
    name = version
    self.folder = folder
    self.lists = lists
    self.listOf = listOf
    port = Int(load_free_port())
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process = try Self.start(folder, port)
  }

  /// Every write is synced before its answer; no snapshots, and no rewriting, get in its way.
  private static func start(_ folder: String, _ port: Int) throws -> ServerProcess {
    let process = try ServerProcess(
      [
        "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder,
        "--appendonly", "yes", "--appendfsync", "always", "--save", "",
        "--auto-aof-rewrite-percentage", "0", "--maxclients", "10000",
      ], log: folder + ".log")
    try process.wait {
      let socket = try LoadSocket(port: port)
      try socket.send(command(["PING"]))
      return try socket.line() == Array("+PONG\r".utf8) ? () : nil
    }
    return process
  }

  private static func command(_ words: [String]) -> [UInt8] {
    command(words.map { Array($0.utf8) })
  }

  private static func command(_ words: [[UInt8]]) -> [UInt8] {
    var bytes = Array("*\(words.count)\r\n".utf8)
    for word in words { bytes += Array("$\(word.count)\r\n".utf8) + word + [0x0D, 0x0A] }
    return bytes
  }

  func connect(_ client: Int) throws -> LoadSocket { try LoadSocket(port: port) }

  func append(_ transaction: LoadTransaction, client: Int, request: Int) -> [UInt8] {
    Self.command([Array("RPUSH".utf8), Array("a\(listOf(client))".utf8), transaction.bytes])
  }

  func storedAfterRestart() throws -> Int {
    process.stop(SIGKILL)
    process = try Self.start(folder, port)
    let socket = try LoadSocket(port: port)
    var count = 0
    for list in 0..<lists {
      try socket.send(Self.command(["LLEN", "a\(list)"]))
      count += Int(String(decoding: try socket.line().dropFirst().dropLast(), as: UTF8.self)) ?? 0
    }
    return count
  }

  func stop() { process.stop() }
}
