internal import FolioDomain
internal import LMDB
internal import Synchronization

/// What was asked for of a list of holdings.
struct HoldingQuestion: Hashable {
  var filter: HoldingFilter
  var includesHidden: Bool

  /// How many categories the answer may well have, in each spelling.
  var categoryCount: Int {
    if case .category = filter { 4 } else { 256 }
  }

  /// The records among which the answer is; of a category all.
  var range: KeyRange {
    get throws(StorageError) {
      switch filter {
      case .all, .category: .all
      case .type(let type): try Keys.type(type).prefix
      }
    }
  }
}

/// Holdings that were read of one state, to be given again while the store is in it.
struct KeptHoldings {
  /// How many rows are kept at most, in all answers together: a few megabytes.
  static let rowCountMax = 1 << 14

  /// The number of the state.
  private(set) var transaction: UInt64
  private var assets: [PricedHolding] = []
  /// The places of assets among those: rows are large, and a dictionary moves what it holds.
  private var places: [AssetKey: Int] = [:]
  private var lists: [HoldingQuestion: [PricedHolding]] = [:]
  private var rowCount = 0

  init(of transaction: UInt64) { self.transaction = transaction }

  func holding(_ asset: AssetKey) -> PricedHolding? {
    places[asset].map { assets[$0] }
  }

  func holdings(_ question: HoldingQuestion) -> [PricedHolding]? { lists[question] }

  mutating func keep(_ holding: PricedHolding) {
    guard makeRoom(1) else { return }
    places[holding.asset] = assets.count
    assets.append(holding)
  }

  mutating func keep(_ holdings: [PricedHolding], _ question: HoldingQuestion) {
    // An empty answer takes room, too.
    if makeRoom(holdings.count + 1) { lists[question] = holdings }
  }

  /// Makes room for rows by forgetting all others where they are too many; false where there is none
  /// even so.
  private mutating func makeRoom(_ count: Int) -> Bool {
    guard count <= Self.rowCountMax else { return false }
    if rowCount + count > Self.rowCountMax { self = KeptHoldings(of: transaction) }
    rowCount += count
    return true
  }
}

/// The holdings that an open store keeps of the latest state that was read of it.
///
/// The number of a state tells whether what is kept is of it, whoever made it: another thread or
/// another process. Nothing kept is ever changed, and with the next state all of it is forgotten.
final class HoldingCache: Sendable {
  private let kept = Mutex(KeptHoldings(of: 0))

  /// What is kept of a state.
  func find<R: Sendable>(at transaction: UInt64, _ find: (KeptHoldings) -> R?) -> R? {
    kept.withLock { kept in kept.transaction == transaction ? find(kept) : nil }
  }

  /// Keeps what was read of a state, unless a later one has been read.
  func keep(at transaction: UInt64, _ keep: (inout KeptHoldings) -> Void) {
    kept.withLock { kept in
      if kept.transaction < transaction { kept = KeptHoldings(of: transaction) }
      if kept.transaction == transaction { keep(&kept) }
    }
  }
}
