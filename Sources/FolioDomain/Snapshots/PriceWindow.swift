/// The price tables of consecutive slots, by asset: what a walker is given at once in the place of
/// one table after the other.
///
/// It may reach beyond the slot that is looked at: a price counts from its own slot on.
public struct PriceWindow: Hashable, Sendable {
  /// How many slots a window is for.
  public static let slotCount = 16

  /// An asset of which some table has a price.
  public struct Column: Hashable, Sendable {
    /// The asset.
    public let number: AssetNumber
    /// Whose tables have a price of it: a bit for each slot, the lowest for the first.
    public let slots: UInt16
    /// Where its prices begin: that of each slot stands in its own place.
    public let start: Int

    /// A column of those members.
    public init(number: AssetNumber, slots: UInt16, start: Int) {
      self.number = number
      self.slots = slots
      self.start = start
    }
  }

  /// The first slot.
  public let first: Slot
  /// A column for each asset, in any order.
  public let columns: [Column]
  /// The prices of all columns; what stands where a column has none does not count.
  public let prices: [Price]

  /// A window of those members.
  ///
  /// - Precondition: There are prices for all slots of each column.
  public init(first: Slot, columns: [Column], prices: [Price]) {
    for column in columns {
      precondition(column.start >= 0 && column.start <= prices.count - Self.slotCount)
    }
    self.first = first
    self.columns = columns
    self.prices = prices
  }

  /// The last slot, whether it has a table or not.
  public var last: Slot { first.advanced(by: Self.slotCount - 1) }

  /// The slots of a window that are not after one that is so many after its first, as bits.
  @inline(__always)
  static func bits(upTo offset: Int64) -> UInt16 {
    if offset < 0 { return 0 }
    return offset >= 15 ? .max : (2 << UInt16(truncatingIfNeeded: offset)) &- 1
  }
}
