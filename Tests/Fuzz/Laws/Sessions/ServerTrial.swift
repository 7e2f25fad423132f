import FolioCrypto
import FolioDomain
import FolioServer
import FolioWire
import TestSupport
import WireLaws

/// Clients of a server in memory, who do what the bytes of a script say.
///
/// Bytes are sent as they are, but for some control characters, which no message holds:
///
/// | byte | what happens |
/// |---|---|
/// | 0 | the next of three clients goes on, and connects where it is not connected |
/// | 1 | seven seconds pass |
/// | 2 | the client sends nothing more |
/// | 3 | what was sent is handled, before more is sent |
/// | 4, 5 | the next commit is lost; is kept, and reported as failed |
/// | 6 | the end of the log is sent, as an object |
/// | 7 | the client stops reading, or reads again |
/// | 8 | the client is gone |
struct ServerTrial {
  /// What waits for a client who does not read: the limit, and the answers of one commit.
  private static let waitingMax = limits.waitingOutput + 64 * 1024
  private static let limits: HubLimits = {
    var limits = HubLimits()
    limits.waitingOutput = 8192
    return limits
  }()

  private let storage: MemoryServerStorage
  private let clock = ManualClock(PreparedStorage.now)
  private let hub: ServerHub
  private let isPlanted: Bool
  private var now = Duration.seconds(1)
  private var clients: [TrialClient?] = [nil, nil, nil]
  private var current = 0
  private var outbox: [UInt8] = []
  private var acknowledged: [(TransactionID, UInt64)] = []

  init(isPlanted: Bool) throws {
    self.isPlanted = isPlanted
    storage = try PreparedStorage.withAccount.get().copied()
    let service = try ServerService(
      storage: storage, clock: clock, random: SeededSource(seed: 3),
      limits: Limits(inFlight: 4, entries: 8, pageBytes: 4096))
    hub = ServerHub(service: service, limits: Self.limits)
    connect()
  }

  /// Does what a byte of the script says.
  mutating func take(_ byte: UInt8) throws {
    guard byte <= 8 else {
      outbox.append(byte)
      return
    }
    if byte == 6 { return outbox += try head() }
    send()
    switch byte {
    case 0:
      current = (current + 1) % clients.count
      if clients[current] == nil { connect() }
    case 1: try pass(seconds: 7)
    case 2:
      if let client = clients[current] { hub.endInput(of: client.id, at: now) }
    case 3: try settle()
    case 4, 5:
      let fault: StorageFault = byte == 4 ? .lost : .keptUnacknowledged
      storage.setFaults { $0 == .commit ? fault : nil }
      try settle()
      storage.setFaults(nil)
    case 7: clients[current]?.isReading.toggle()
    default:
      if let client = clients[current] { forget(client) }
    }
  }

  /// Lets everything come to rest, and then looks at what is left.
  mutating func finish() throws {
    send()
    for index in clients.indices { clients[index]?.isReading = true }
    try settle()
    // A sign of life is asked for, is not given, and the last lines are not fetched.
    for seconds in [21, 25, 6] { try pass(seconds: seconds) }
    try require(hub.count == 0, "\(hub.count) connections outlive the silence")
    let problems = try storage.read(VerifyStorage()).problems
    try require(problems.isEmpty, "what is stored is not sound: \(problems)")
    try acknowledgedIsKept()
  }

  // MARK: Steps

  private mutating func connect() {
    clients[current] = hub.connect(at: now).map { TrialClient($0, isPlanted: isPlanted) }
  }

  private mutating func send() {
    guard let client = clients[current], !outbox.isEmpty else { return outbox = [] }
    hub.receive(outbox, on: client.id, at: now)
    clients[current]?.send(outbox)
    outbox = []
  }

  private mutating func pass(seconds: Int) throws {
    now += .seconds(seconds)
    clock.advance(milliseconds: Int64(seconds) * 1000)
    try settle()
  }

  /// Lets the server handle what it has, and the clients read, until nothing moves.
  private mutating func settle() throws {
    var moves = true
    while moves {
      hub.advance(at: now)
      moves = false
      for index in clients.indices { moves = try read(index) || moves }
    }
    for case .some(let client) in clients where client.isReading {
      try require(
        client.unansweredCount == 0, "\(client.unansweredCount) requests are not answered")
      try require(!client.isOutOfOrder, "a number that does not increase is taken")
    }
  }

  /// Lets a client read what waits for it; whether anything did.
  private mutating func read(_ index: Int) throws -> Bool {
    guard let id = clients[index]?.id else { return false }
    let output = hub.output(of: id)
    try require(output.count <= Self.waitingMax, "\(output.count) bytes wait")
    guard clients[index]?.isReading == true else { return false }
    try clients[index]?.receive(output)
    hub.sent(output.count, on: id, at: now)
    guard let client = clients[index] else { return false }
    try require(!client.isRefused || hub.isFinished(id), "refused, and not ended")
    if hub.isFinished(id) { forget(client) }
    return !output.isEmpty
  }

  private mutating func forget(_ client: TrialClient) {
    acknowledged += client.acknowledged
    hub.forget(client.id)
    for index in clients.indices where clients[index]?.id == client.id { clients[index] = nil }
  }

  // MARK: The log

  private func facts() throws -> AccountRow {
    try storage.read(LogFacts(account: PreparedStorage.account, device: DeviceID(0), points: []))
      .account
  }

  private func head() throws -> [UInt8] {
    let head = try facts().head
    return Array(#"{"hash":"\#(head.hash.text)","seq":\#(head.seq)}"#.utf8)
  }

  private func acknowledgedIsKept() throws {
    guard !acknowledged.isEmpty else { return }
    let account = try facts()
    let start = LogChain.start(account: account.id, using: SHA256.self)
    let page = try storage.read(
      LogPageQuery(
        account: PreparedStorage.account, after: LogPosition(seq: 0, hash: start),
        entryLimit: 1 << 20, byteLimit: 1 << 30))
    let places = Dictionary(
      page.entries.filter { $0.kind == .accepted }.map { ($0.transaction.id, $0.seq) },
      uniquingKeysWith: { first, _ in first })
    for (id, seq) in acknowledged {
      try require(places[id] == seq, "acknowledged at \(seq), and not there")
    }
  }
}
