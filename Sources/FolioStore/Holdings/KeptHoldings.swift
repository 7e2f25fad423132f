internal import FolioDomain
internal import LMDB
internal import Synchronization

/// What was asked for of a list of holdings.
struct HoldingQuestion: Hashable {
  var filter: HoldingFilter
  var includesHidden: Bool

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
  private(set) var assets = KeptAssets()
  private(set) var lists: [HoldingQuestion: [PricedHolding]] = [:]
  /// How many rows the lists of the state before had: most have about as many again.
  private(set) var expected: [HoldingQuestion: Int] = [:]
  private var rowCount = 0

  init(of transaction: UInt64) { self.transaction = transaction }

  mutating func keep(_ holding: PricedHolding, _ hash: UInt64) {
    if makeRoom(1) { assets.keep(holding, hash) }
  }

  mutating func keep(_ holdings: [PricedHolding], _ question: HoldingQuestion) {
    // An empty answer takes room, too.
    if makeRoom(holdings.count + 1) { lists[question] = holdings }
  }

  /// Forgets what is of an earlier state; false where a later one has been read.
  mutating func reach(_ transaction: UInt64) -> Bool {
    if self.transaction < transaction {
      self.transaction = transaction
      expected = lists.mapValues(\.count)
      forget()
    }
    return self.transaction == transaction
  }

  private mutating func forget() {
    assets.removeAll()
    lists = [:]
    rowCount = 0
  }

  /// Makes room for rows by forgetting all others where they are too many; false where there is none
  /// even so.
  private mutating func makeRoom(_ count: Int) -> Bool {
    guard count <= Self.rowCountMax else { return false }
    if rowCount + count > Self.rowCountMax { forget() }
    rowCount += count
    return true
  }
}

/// Single holdings, found by their assets.
///
/// A dictionary takes more time than reading one of the rows: it hashes for strangers' keys, and does so
/// again for all that it has whenever it grows. Here one that finds no place near its own is not kept.
struct KeptAssets {
  /// How many places are looked at for one.
  private static let stepsMax = 16
  private static let placeCountMin = 64

  private var rows: [PricedHolding] = []
  private var hashes: [UInt64] = []
  /// Which row is at a place; -1 for none.
  private var places: [Int32] = []

  /// Leaves what is found as it is where there is none.
  func find(_ asset: AssetKey, _ hash: UInt64, _ found: inout PricedHolding?) {
    if places.isEmpty { return }
    for step in 0..<Self.stepsMax {
      let row = Int(places[place(hash, step)])
      if row < 0 { return }
      if hashes[row] == hash, rows[row].asset == asset {
        found = rows[row]
        return
      }
    }
  }

  mutating func keep(_ holding: PricedHolding, _ hash: UInt64) {
    if 2 * rows.count >= places.count { grow() }
    guard setPlace(hash, Int32(rows.count)) else { return }
    rows.append(holding)
    hashes.append(hash)
  }

  /// Forgets all, and keeps the memory where about as many may come again.
  mutating func removeAll() {
    if places.isEmpty { return }
    let isSparse = 8 * rows.count < places.count && places.count > Self.placeCountMin
    if isSparse {
      self = KeptAssets()
      return
    }
    rows.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    for place in places.indices { places[place] = -1 }
  }

  private mutating func grow() {
    places = Array(repeating: -1, count: max(Self.placeCountMin, 2 * places.count))
    // Those that find no place are not found again, and read instead.
    for (row, hash) in hashes.enumerated() { _ = setPlace(hash, Int32(row)) }
  }

  /// False where all places near its own are taken.
  private mutating func setPlace(_ hash: UInt64, _ row: Int32) -> Bool {
    for step in 0..<Self.stepsMax {
      let place = place(hash, step)
      if places[place] < 0 {
        places[place] = row
        return true
      }
    }
    return false
  }

  @inline(__always)
  private func place(_ hash: UInt64, _ step: Int) -> Int {
    // A power of two.
    Int(truncatingIfNeeded: hash &+ UInt64(step)) & (places.count - 1)
  }
}

/// The holdings that an open store keeps of the latest state that was read of it.
///
/// The number of a state tells whether what is kept is of it, whoever made it: another thread or
/// another process. Nothing kept is ever changed, and with the next state all of it is forgotten.
final class HoldingCache: Sendable {
  private let kept = Mutex(KeptHoldings(of: 0))

  /// A holding that is kept of a state.
  func find(
    _ asset: AssetKey, _ hash: UInt64, at transaction: UInt64, _ found: inout PricedHolding?
  ) {
    kept.withLock { kept in
      if kept.transaction == transaction { kept.assets.find(asset, hash, &found) }
    }
  }

  /// A list that is kept of a state.
  ///
  /// - Parameter expected: Where there is none, how many rows it may have.
  func find(
    _ question: HoldingQuestion, at transaction: UInt64, _ expected: inout Int
  ) -> [PricedHolding]? {
    kept.withLock { kept in
      // That it is of the state before is not known yet where nothing was read of this one.
      let isKept = kept.transaction == transaction
      if isKept, let found = kept.lists[question] { return found }
      expected = (isKept ? kept.expected[question] : kept.lists[question]?.count) ?? 0
      return nil
    }
  }

  /// Keeps a holding that was read of a state, unless a later one has been read.
  func keep(_ holding: borrowing PricedHolding?, _ hash: UInt64, at transaction: UInt64) {
    kept.withLock { kept in
      if kept.reach(transaction), let holding = copy holding { kept.keep(holding, hash) }
    }
  }

  /// Keeps a list likewise.
  func keep(_ holdings: [PricedHolding], _ question: HoldingQuestion, at transaction: UInt64) {
    kept.withLock { kept in
      if kept.reach(transaction) { kept.keep(holdings, question) }
    }
  }
}
