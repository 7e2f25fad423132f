import CBaseline
import Foundation

/// Durable acknowledgements a second, of 1 to 512 clients with one request in flight each.
///
/// The same transactions go to our server, to Redis and to PostgreSQL, from the same program on the
/// same machine, to the same disk, in turn. Each answers only when what it was given is on disk. At
/// the end each is killed and started again, and has to have all of them.
enum AppendBenchmark: Benchmark {
  static let name = "append"
  static let title = "durable acknowledgements of 1 to 512 clients, beside Redis and PostgreSQL"
  static let bar = "64 clients 8 times one at a time, as Redis, 3 times PostgreSQL"
  static let size = Size(12_000, long: 48_000, "appends of 64 clients a round")
  /// The number of clients, and which part of the size they append in a round.
  static let levels: [(clients: Int, part: Double)] = [
    (1, 0.0625), (8, 0.25), (64, 1), (512, 1.28),
  ]
  static let rounds = 5
  static let accounts = 64
  static let groupBar = 8.0
  static let redisBar = 1.0
  static let postgresBar = 3.0

  static func libraries() -> [String] {
    [RedisServer.version, PostgresServer.version].compactMap(\.self)
  }

  static func measure(_ run: Run) throws {
    try run.inFolder("append") { root in
      _ = load_raise_descriptors()
      let programs = try run.programs()
      let accountOf = { (client: Int) in client % accounts }
      let ours = try OurServer(programs, root + "/ours", accounts: accounts, accountOf: accountOf)
      let single = try OurServer(programs, root + "/single", accounts: 1) { _ in 0 }
      let redis = try RedisServer(root + "/redis", lists: accounts, listOf: accountOf)
      let postgres = try PostgresServer(root + "/postgres", clients: levels.last?.clients ?? 0)
      let all: [(any LoadServer)?] = [ours, redis, postgres]
      let servers = all.compactMap(\.self)
      defer { for server in servers + [single] { server.stop() } }
      let load = try AppendLoad(servers, alone: single)
      for level in levels {
        try load.run(level.clients, Int(Double(run.count(size)) * level.part), run.output)
      }
      try load.check()
      try report(load, ours, redis, postgres, run.output)
      // What is committed together need not be of several accounts.
      try load.report(single, 64, run.output, " in one account")
    }
  }

  private static func report(
    _ load: AppendLoad, _ ours: OurServer, _ redis: RedisServer?, _ postgres: PostgresServer?,
    _ output: Output
  ) throws {
    let all: [(any LoadServer)?] = [ours, redis, postgres]
    for level in levels {
      for server in all.compactMap(\.self) { try load.report(server, level.clients, output) }
    }
    try output.add(
      .ratio(
        "append, 64 clients / one at a time",
        Rounds(ours: load.times(ours, 64), peer: load.times(ours, 1)), atLeast: groupBar))
    for (name, server, bar) in [
      ("Redis", redis as (any LoadServer)?, redisBar), ("PostgreSQL", postgres, postgresBar),
    ] {
      let label = "append, 64 clients / \(name)"
      guard let server else {
        try output.add(
          Figure(
            name: label, value: 0, unit: "times", bar: .atLeast(bar),
            note: "\(name) is not installed: nothing was compared"))
        continue
      }
      try output.add(
        .ratio(
          label, Rounds(ours: load.times(ours, 64), peer: load.times(server, 64)), atLeast: bar,
          note: "\(server.name); after kill and restart both have every transaction"))
    }
  }
}

/// Loads of several servers, in turn.
final class AppendLoad {
  private let servers: [any LoadServer]
  private let alone: any LoadServer
  private var content: [ObjectIdentifier: LoadContent] = [:]
  private var requests: [ObjectIdentifier: Int] = [:]
  private var outcomes: [ObjectIdentifier: [Int: [LoadOutcome]]] = [:]
  private var given: [ObjectIdentifier: Int] = [:]

  /// Loads of `servers` at every level, and of `alone` with 64 clients.
  init(_ servers: [any LoadServer], alone: any LoadServer) throws {
    self.servers = servers
    self.alone = alone
    for server in servers + [alone] { content[ObjectIdentifier(server)] = try LoadContent() }
  }

  /// Rounds of `clients` clients that append `count` transactions together, the server that goes
  /// first changing with each, after a tenth of it that does not count.
  func run(_ clients: Int, _ count: Int, _ output: Output) throws {
    let all = clients == 64 ? servers + [alone] : servers
    var sockets: [ObjectIdentifier: [LoadSocket]] = [:]
    for server in all {
      sockets[ObjectIdentifier(server)] = try (0..<clients).map { try server.connect($0) }
    }
    for round in 0...AppendBenchmark.rounds {
      output.note("\(clients) clients, round \(round) of \(AppendBenchmark.rounds)")
      for turn in all.indices {
        let server = all[(round + turn) % all.count]
        let outcome = try append(
          server, sockets[ObjectIdentifier(server), default: []],
          each: max(count / clients / (round == 0 ? 10 : 1), 1))
        if round > 0 {
          outcomes[ObjectIdentifier(server), default: [:]][clients, default: []].append(outcome)
        }
      }
    }
  }

  private func append(
    _ server: any LoadServer, _ sockets: [LoadSocket], each: Int
  ) throws -> LoadOutcome {
    let id = ObjectIdentifier(server)
    var all = [Requests](repeating: Requests(), count: sockets.count)
    // Numbers of requests increase on every connection.
    let first = requests[id, default: 0]
    for client in sockets.indices {
      for number in 0..<each {
        guard let transaction = try content[id]?.next(client) else { continue }
        all[client].add(server.append(transaction, client: client, request: first + number))
      }
    }
    requests[id] = first + each
    given[id, default: 0] += sockets.count * each
    return try LoadOutcome(server.speech, mark: server.appended, sockets, all)
  }

  /// Kills every server, starts it again, and counts.
  func check() throws {
    for server in servers + [alone] {
      let stored = try server.storedAfterRestart()
      let given = given[ObjectIdentifier(server), default: 0]
      guard stored == given else {
        throw Command.Failed(description: "\(server.name) has \(stored) of \(given) transactions")
      }
    }
  }

  /// The nanoseconds for one append, round by round.
  func times(_ server: any LoadServer, _ clients: Int) -> [Double] {
    outcomes[ObjectIdentifier(server)]?[clients]?.map { 1e9 / $0.rate } ?? []
  }

  /// The figures of a server at a level.
  func report(
    _ server: any LoadServer, _ clients: Int, _ output: Output, _ suffix: String = ""
  ) throws {
    let outcomes = outcomes[ObjectIdentifier(server)]?[clients] ?? []
    let name = "append, \(clients) \(clients == 1 ? "client" : "clients")\(suffix), \(server.name)"
    try output.add(.plain(name, outcomes.map(\.rate), "a second"))
    try output.add(.plain("\(name), p50", outcomes.map { $0.latency(0.5) }, "ms"))
    try output.add(.plain("\(name), p99", outcomes.map { $0.latency(0.99) }, "ms"))
  }
}
