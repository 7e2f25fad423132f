import CBaseline
import FolioDomain
import FolioWire
import Foundation

/// A server that keeps what clients give it, durable before it says so: ours, or a peer.
protocol LoadServer: AnyObject {
  /// The program and its version.
  var name: String { get }
  var speech: load_protocol { get }
  /// How the answer to an append begins or ends.
  var appended: String { get }
  /// A client with that number that has said everything that comes before the first append.
  func connect(_ client: Int) throws -> LoadSocket
  /// The request by which that client appends a transaction.
  func append(_ transaction: LoadTransaction, client: Int, request: Int) -> [UInt8]
  /// How many transactions it has, by what it says itself when it has been started again.
  func storedAfterRestart() throws -> Int
  func stop()
}

/// A transaction as it is sent: what our server takes, and the others keep byte for byte.
struct LoadTransaction {
  let id: UInt128
  /// The transaction as an item of our `push`.
  let bytes: [UInt8]
}

/// Transactions of many clients: edits of an asset mostly, each client's in sequence.
struct LoadContent {
  private let content: Content
  private var random = Seeded(seed: 99)
  private var sequences: [Int: UInt64] = [:]

  init() throws {
    content = try Content(assetCount: 200)
  }

  /// The device that client has.
  static func device(_ client: Int) -> DeviceID { DeviceID(UInt128(client) + 1 << 64) }

  /// The next transaction of a client.
  mutating func next(_ client: Int) throws -> LoadTransaction {
    let sequence = sequences[client, default: 0] + 1
    sequences[client] = sequence
    let asset = content.assets[random.int(0...content.assets.count - 1)]
    let hash = Hash256(words: (random.next(), random.next(), random.next(), random.next()))
    let seen = Seen(
      log: LogID(random.next128()), position: LogPosition(seq: sequence, hash: hash))
    let body = try TransactionBody(
      seen: seen, operations: [.adjust(asset, try Amount(random.decimal()))]
    ).encoded()
    let transaction = Envelope(
      id: TransactionID(random.next128()), device: Self.device(client), deviceSequence: sequence,
      recordedAt: Timestamp(milliseconds: 1_772_348_400_000 + Int64(sequence)), body: body)
    let push = Push(transactions: [PushedTransaction(transaction)])
    let line = Message.request(RequestID(1), .push(push)).line
    let (start, end) = (Self.before(1).count, Self.after.count)
    return LoadTransaction(id: transaction.id.value, bytes: Array(line[start..<line.count - end]))
  }

  /// What stands around the transaction in our `push` with that number.
  static func before(_ request: Int) -> [UInt8] {
    Array("{\"id\":\(request),\"transactions\":[".utf8)
  }
  static let after = Array("],\"type\":\"push\"}\n".utf8)
}

/// A server's process, whose words go to a file beside its folder.
final class ServerProcess {
  private let process = Process()
  private let log: String

  /// Starts a program; as another user where `user` names one.
  init(_ words: [String], log: String, as user: String? = nil) throws {
    self.log = log
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let change = user.map { ["setpriv", "--reuid", $0, "--regid", $0, "--clear-groups", "--"] }
    process.arguments = (change ?? []) + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
  }

  deinit { stop() }

  var id: Int32 { process.processIdentifier }

  /// What it has said so far.
  var words: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  /// Tries until it is served, for half a minute.
  @discardableResult
  func wait<Result>(for attempt: () throws -> Result?) throws -> Result {
    for _ in 0..<600 {
      if let result = try? attempt() { return result }
      guard process.isRunning else { break }
      usleep(50_000)
    }
    throw Command.Failed(description: "a server did not start:\n\(words)")
  }

  func stop(_ signal: Int32 = SIGTERM) {
    guard process.isRunning else { return }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }
}
