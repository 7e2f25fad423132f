/// Goes from slot to slot and has the snapshot of each: what is held, at which price.
///
/// It stands at the start of a slot. It is told the prices in that slot's table and what happened
/// within it; the prices count at once, what happened counts after `advance()`, for a transaction
/// is first in the snapshot after its slot. It holds one slot's state and no history, so that any
/// number of slots is walked in constant memory.
///
///     var walker = SnapshotWalker(at: first, rules: rules)
///     for slot in first...through {
///       walker.observe(table(slot))
///       digests[slot] = walker.digest(using: SHA256.self)
///       for change in changes(in: slot) { walker.apply(change) }
///       walker.advance()
///     }
public struct SnapshotWalker: Sendable {
  /// The slot at whose start the walker stands.
  public private(set) var slot: Slot
  /// The prices seen so far.
  public private(set) var prices: PriceCarrier

  /// Each asset that was met in a change, in the order of meeting; never removed.
  var holdings: [Holding] = []
  /// What is held of each as bytes in a digest: all but the price.
  var heldBytes: [[UInt8]] = []
  /// The places in `holdings` of those whose amount is not 0, in byte order of the assets.
  private(set) var held: [Int] = []
  private(set) var categories = CategoryNumbering()
  private var places: [AssetKey: Int] = [:]
  private var pending: [HoldingChange] = []
  /// The slot that the quotes were last brought up to date for.
  var settledSlot: Slot?
  /// The bytes hashed last, kept for their memory.
  var digestBytes: [UInt8] = []
  /// What the slots with known prices come to.
  var course = SlotCourse()
  /// The places of what changed in the last step, and in the one before.
  private(set) var changed: [Int] = []
  private(set) var changedBefore: [Int] = []

  /// What is held of an asset, and the price that counts at the settled slot.
  struct Holding: Sendable {
    let asset: AssetKey
    let number: AssetNumber
    /// Whether the asset takes its own price at every slot.
    let isPlain: Bool
    var amount = Int256.zero
    var category: Int
    var price = Price.zero
    /// The slot of the price; `Int64.min` where there is none.
    var pricedAtIndex = Int64.min
    var factors: [Price] = []
    /// The amount, ready to be valued; nil where it is out of range.
    var factor: AmountFactor?
    /// Whether it has a value in the last slot of the course; nil where that is not known.
    var hasValue: Bool?
    /// The bytes of the price in a digest, and whether they, and those of what is held, are
    /// written.
    var priceBytes = DigestPriceBytes()
    var hasPriceBytes = false
    var hasHeldBytes = false

    var quote: Quote? {
      guard pricedAtIndex != .min else { return nil }
      return Quote(price: price, pricedAt: Slot(index: pricedAtIndex), factors: factors)
    }
  }

  /// A walker at the start of `slot` that holds nothing and knows no price.
  public init(at slot: Slot, rules: PricingRules) {
    self.init(at: slot, prices: PriceCarrier(rules: rules))
  }

  /// A walker at the start of `slot` that holds nothing and knows the prices of earlier slots.
  public init(at slot: Slot, prices: PriceCarrier) {
    if let latest = prices.latest { precondition(latest <= slot) }
    self.slot = slot
    self.prices = prices
  }

  /// The number of an asset, for `observe(_:of:)`.
  ///
  /// O(1).
  public mutating func number(of asset: AssetKey) -> AssetNumber { prices.number(of: asset) }

  /// Takes note of a price in the table of the walker's slot, or of an earlier one where
  /// `tableSlot` says so.
  ///
  /// O(1).
  public mutating func observe(
    _ price: Price, of number: AssetNumber, in tableSlot: Slot? = nil
  ) {
    let tableSlot = tableSlot ?? slot
    precondition(tableSlot <= slot, "a later price is never used")
    prices.observe(price, of: number, in: tableSlot)
    forget()
  }

  /// Takes note of the prices of the walker's slot and of those after it in a window.
  ///
  /// A price counts from its own slot on. O(assets).
  ///
  /// - Precondition: The walker's slot is in the window.
  public mutating func observe(_ window: PriceWindow) {
    precondition(window.first <= slot && slot <= window.last, "the window is of other slots")
    prices.observe(window, from: slot)
    forget()
  }

  /// Drops what was made of the prices known before.
  private mutating func forget() {
    settledSlot = nil
    course.isCurrent = false
  }

  /// Takes note of all prices of a table, which is that of the walker's slot or an earlier one.
  ///
  /// O(n), with a look-up by name for each price.
  public mutating func observe(_ table: PriceTable) {
    precondition(table.slot <= slot, "a later price is never used")
    prices.observe(table)
    forget()
  }

  /// Takes note of what happened in the walker's slot, or before it.
  ///
  /// What happened before counts at once; what happened in the slot, from the next one on. Within
  /// an asset changes come in the order of their slots; between assets in any. O(1), but O(n) where
  /// it makes the amount 0 or other than 0.
  public mutating func apply(_ change: HoldingChange) {
    precondition(change.slot <= slot, "a change belongs to a slot that has begun")
    if change.slot == slot { pending.append(change) } else { add(change) }
  }

  /// Goes to the start of the next slot.
  public mutating func advance() {
    slot.index += 1
    swap(&changed, &changedBefore)
    changed.removeAll(keepingCapacity: true)
    for change in pending { add(change) }
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ change: HoldingChange) {
    let place = place(of: change.asset)
    let wasHeld = !holdings[place].amount.isZero
    count(place, .takenAway)
    holdings[place].amount += change.sum
    holdings[place].factor = holdings[place].amount.amount.map(AmountFactor.init)
    count(place, .added)
    changed.append(place)
    if let category = change.category {
      holdings[place].category = categories.number(of: category)
    }
    holdings[place].hasHeldBytes = false
    let isHeld = !holdings[place].amount.isZero
    if isHeld != wasHeld { list(place, isHeld) }
    settledSlot = nil
  }

  private mutating func place(of asset: AssetKey) -> Int {
    if let place = places[asset] { return place }
    let place = holdings.count
    let number = prices.number(of: asset)
    holdings.append(
      Holding(
        asset: asset, number: number, isPlain: prices.isPlain(number),
        category: categories.number(of: Category(defaultFor: asset.type))))
    heldBytes.append([])
    places[asset] = place
    return place
  }

  private mutating func list(_ place: Int, _ isHeld: Bool) {
    let asset = holdings[place].asset
    var low = 0
    var high = held.count
    while low < high {
      let middle = (low + high) / 2
      if holdings[held[middle]].asset < asset { low = middle + 1 } else { high = middle }
    }
    if isHeld { held.insert(place, at: low) } else { held.remove(at: low) }
  }
}
