internal import FolioDomain
internal import LMDB

/// Makes what is shown of assets of their keys and records, of many one after the other.
///
/// What neighbours have in common, their type and their categories, is made once.
struct HoldingRows {
  private(set) var rows: [PricedHolding] = []
  private let includesHidden: Bool
  private let market: PresentMarket
  private var categories = KnownCategories()
  private var type = AssetType(unchecked: "")
  /// The bytes of the type in a key, with its NUL; empty before the first.
  private var typeBytes: [UInt8] = []

  /// - Parameter count: How many rows there may be.
  init(includesHidden: Bool, _ market: PresentMarket, expecting count: Int) {
    self.includesHidden = includesHidden
    self.market = market
    // A few more, since an array that is full is copied; and few lists are shorter than that.
    rows.reserveCapacity(count + count / 16 + 16)
  }

  /// Adds an asset with the latest price of its own, by its key among assets and its record; not one
  /// that is hidden, where those are not wanted.
  ///
  /// - Returns: False where another price counts for it.
  @inline(__always)
  mutating func add(_ key: RawSpan, _ record: RawSpan, of space: String) throws -> Bool {
    var reader = RecordReader(record, of: space)
    let row = try PricedHolding(try readAsset(key), &reader, at: market.slot) {
      reader throws(StoreError) in
      try reader.readCategory(&categories)
    }
    let isWanted = includesHidden || !row.holding.isHidden
    if !isWanted { return true }
    rows.append(consume row)
    return market.isPricedByItself(key)
  }

  /// Has another price count for the last one.
  mutating func repriceLast(_ quote: (AssetKey) throws -> Quote?) rethrows {
    let last = rows.count - 1
    rows[last].price(try quote(rows[last].asset), at: market.slot)
  }

  @inline(__always)
  private mutating func readAsset(_ key: RawSpan) throws(StorageError) -> AssetKey {
    let count = typeBytes.count
    guard count > 0, key.byteCount >= count, isOfType(key.extracting(first: count)) else {
      return try readFirstAsset(key)
    }
    var reader = KeyReader(key.extracting(droppingFirst: count))
    return AssetKey(type: type, id: AssetID(unchecked: try reader.readText()))
  }

  @inline(__always)
  private func isOfType(_ bytes: RawSpan) -> Bool {
    let known = typeBytes.span
    return unsafe known.bytes.isEqual(to: bytes)
  }

  /// The first of its type.
  @inline(never)
  private mutating func readFirstAsset(_ key: RawSpan) throws(StorageError) -> AssetKey {
    var reader = KeyReader(key)
    type = AssetType(unchecked: try reader.readText())
    typeBytes = key.extracting(0..<(key.byteCount - reader.remaining)).copied
    return AssetKey(type: type, id: AssetID(unchecked: try reader.readText()))
  }
}
