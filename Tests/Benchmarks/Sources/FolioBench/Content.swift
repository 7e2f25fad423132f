import FolioCrypto
import FolioDomain

/// Random numbers that are the same in each run (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func next128() -> UInt128 { UInt128(next()) << 64 | UInt128(next()) }

  /// A decimal of a few digits before the point, and up to eight behind it.
  mutating func decimal() -> String {
    let places = int(1...8)
    var digits = String(int(0...999)) + "."
    for _ in 1..<places { digits += String(int(0...9)) }
    return digits + String(int(1...9))
  }
}

/// What people hold in all benchmarks: assets with ids as markets give them, and categories.
struct Content {
  let assets: [AssetKey]
  let categories: [Category]

  init(assets: [AssetKey], categories: [Category]) {
    self.assets = assets
    self.categories = categories
  }

  /// That many assets: half of them stocks, the others coins and currencies.
  init(assetCount: Int, categoryCount: Int = 20) throws {
    var random = Seeded(seed: 11)
    let syllables = ["bit", "eth", "lite", "wrapped-", "staked-", "doge", "coin", "cash", "dao"]
    assets = try (0..<assetCount).map { number in
      switch number % 20 {
      case 0..<10:
        return try AssetKey("stock:US\(1_000_000_000 + number)")
      case 10..<16:
        let name = (0..<random.int(1...3)).map { _ in syllables[random.int(0...8)] }.joined()
        return try AssetKey("crypto:\(name)\(number)")
      default:
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        // Three letters each, and more where there are more of them.
        var (name, rest) = ("", number)
        while name.count < 3 || rest > 0 {
          name = "\(letters[rest % 26])\(name)"
          rest /= 26
        }
        return try AssetKey("forex:\(name)")
      }
    }
    let names = ["Long-term", "Träume", "Renten & Fonds", "Cash", "Kinder", "Risk"]
    categories = try (0..<categoryCount).map { number in
      try Category(named: "\(names[number % names.count]) \(number / names.count + 1)")
    }
  }
}

/// A log of several devices of one account, each entry following from those before it.
struct LogContent {
  let account: AccountID
  let log: LogID
  private(set) var head: LogPosition
  private let content: Content
  private var random = Seeded(seed: 22)
  private var sequences: [UInt64] = [0, 0, 0]
  private let devices: [DeviceID]
  private(set) var acceptedAt: Timestamp

  /// An empty log whose first entry is accepted at `start`.
  init(_ content: Content, account: AccountID, log: LogID, start: Timestamp) {
    self.content = content
    self.account = account
    self.log = log
    acceptedAt = start
    head = LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
    devices = ([33, 34, 35] as [UInt64]).map { seed in
      var random = Seeded(seed: seed)
      return DeviceID(random.next128())
    }
  }

  /// The next entry, taken `interval` milliseconds after the one before, of those operations, which
  /// take effect as it is accepted, or of some as they come.
  mutating func next(
    after interval: Int64, digest: Hash256? = nil, operations given: [Operation]? = nil
  ) throws -> LogEntry {
    let device = random.int(0...2)
    acceptedAt = acceptedAt.adding(milliseconds: interval)
    sequences[device] += 1
    let seen = Seen(log: log, position: head, stateDigest: digest)
    let body = try TransactionBody(seen: seen, operations: given ?? operations()).encoded()
    let delay = given == nil ? Int64(random.int(0...min(60_000, Int(interval)))) : 0
    let transaction = Envelope(
      id: TransactionID(random.next128()), device: devices[device],
      deviceSequence: sequences[device],
      recordedAt: acceptedAt.adding(milliseconds: -delay), body: body)
    let entry = LogEntry(
      seq: head.seq + 1, acceptedAt: acceptedAt, kind: .accepted, transaction: transaction,
      bodyHash: SHA256.hash(of: body))
    head = LogPosition(
      seq: entry.seq, hash: LogChain.next(after: head.hash, entry, using: SHA256.self))
    return entry
  }

  /// One operation mostly, sometimes two or three; every fourth transaction names a category.
  private mutating func operations() throws -> [Operation] {
    var operations: [Operation] = []
    for _ in 0..<[1, 1, 1, 2, 3][random.int(0...4)] {
      let asset = content.assets[random.int(0...content.assets.count - 1)]
      let sign = random.int(0...4) == 0 ? "-" : ""
      operations.append(.adjust(asset, try Amount(sign + random.decimal())))
    }
    if random.int(0...3) == 0, case .adjust(let asset, _)? = operations.last {
      let category = content.categories[random.int(0...content.categories.count - 1)]
      operations.append(.categorize(asset, category))
    }
    return operations
  }
}
