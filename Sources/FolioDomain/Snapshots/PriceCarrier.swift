/// An asset's place among those a `PriceCarrier` knows: small and dense, so that what is kept for
/// each asset can stand in arrays.
public struct AssetNumber: Hashable, Sendable {
  /// The place, from 0.
  public let index: Int
}

/// The rules by which assets are priced, beside the price tables: what is always 1, and what
/// follows what.
public struct PricingRules: Hashable, Sendable {
  /// The currency that prices are in; as an asset it is always worth 1.
  public var base: AssetKey
  /// The successions of the asset table.
  public var successions: Successions

  /// Prices in the currency of code `base`, with those successions.
  public init(base: String, successions: Successions = Successions()) {
    self.base = AssetKey(type: AssetType(unchecked: "forex"), id: AssetID(unchecked: base))
    self.successions = successions
  }
}

/// Carries prices from slot to slot: for each asset the last one seen, and the one before.
///
/// It is fed price tables as they follow each other and answers, for the slot it has come to and
/// the one before it, which price counts. A price of a later slot is never the answer. An asset is
/// named once, for its number; after that nothing is looked up by name.
///
/// Which price counts for an asset at slot S:
/// 1. The base currency: 1, priced at S. What a table says of it does not count.
/// 2. An asset with a successor from a slot up to S on: what counts for that successor, by these
///    same rules, with the factor before it. More than 8 steps, and with that any circle: none.
///    That the successor has no price yet is no reason to take the asset's own.
/// 3. Any other: the one in table S; failing that, the latest in an earlier table, with its slot;
///    failing that, none.
public struct PriceCarrier: Sendable {
  /// The base currency and the successions.
  public let rules: PricingRules
  /// The latest slot that a price was observed in; nil before the first.
  public private(set) var latest: Slot?

  private var numbers: [AssetKey: AssetNumber] = [:]
  private var keys: [AssetKey] = []
  private var current: [Observation] = []
  private var previous: [Observation] = []
  /// Where the next step of a chain leads; nil for nearly all.
  private var links: [Link?] = []
  private let base: AssetNumber
  /// The window that prices are looked up in first, and each asset's part of it.
  private(set) var window: PriceWindow?
  private var parts: [Part] = []

  /// The slots of the window with a price of an asset, and where its prices begin.
  struct Part {
    var slots: UInt16 = 0
    var start = 0
  }

  /// A price as a table had it.
  struct Observation {
    var price: Price
    var slotIndex: Int64
    static let none = Observation(price: .zero, slotIndex: .min)
  }

  private struct Link {
    var target: AssetNumber
    var factor: Price
    var fromSlot: Slot
  }

  /// A carrier that has seen no price.
  public init(rules: PricingRules) {
    self.rules = rules
    base = AssetNumber(index: 0)
    _ = number(of: rules.base)
  }

  /// How many assets have a number.
  public var assetCount: Int { keys.count }

  /// The asset of a number.
  ///
  /// O(1).
  public subscript(number: AssetNumber) -> AssetKey { keys[number.index] }

  /// The number of an asset, given to it at the first asking.
  ///
  /// O(1).
  public mutating func number(of asset: AssetKey) -> AssetNumber {
    if let number = numbers[asset] { return number }
    let first = give(asset)
    var number = first
    // A chain gets its numbers with its first asset; a circle ends where it meets itself.
    while let successor = rules.successions[keys[number.index]] {
      let key = AssetKey(type: keys[number.index].type, id: successor.id)
      let known = numbers[key]
      let target = known ?? give(key)
      links[number.index] = Link(
        target: target, factor: successor.factor, fromSlot: successor.fromSlot)
      if known != nil { break }
      number = target
    }
    return first
  }

  private mutating func give(_ asset: AssetKey) -> AssetNumber {
    let number = AssetNumber(index: keys.count)
    numbers[asset] = number
    keys.append(asset)
    current.append(.none)
    previous.append(.none)
    links.append(nil)
    parts.append(Part())
    return number
  }

  /// Takes note of a price in the table of a slot.
  ///
  /// O(1).
  ///
  /// Tables come in the order of their slots; before the first question they may come in any, as
  /// when the last price of each asset is looked for backwards. Of several prices in one slot the
  /// last counts. Of a window the slots up to this one count on.
  public mutating func observe(_ price: Price, of number: AssetNumber, in slot: Slot) {
    if window != nil { closeWindow(before: slot.advanced(by: 1)) }
    note(price, of: number, in: slot)
  }

  private mutating func note(_ price: Price, of number: AssetNumber, in slot: Slot) {
    let i = number.index
    let seen = current[i].slotIndex
    let observation = Observation(price: price, slotIndex: slot.index)
    if slot.index > seen {
      previous[i] = current[i]
      current[i] = observation
      if latest.map({ $0 < slot }) ?? true { latest = slot }
    } else if slot.index == seen {
      current[i] = observation
    } else if slot.index >= previous[i].slotIndex {
      previous[i] = observation
    }
  }

  /// Takes note of the prices of a window, from a slot in it on.
  ///
  /// O(assets); a price is looked at when it is asked for.
  ///
  /// The window before counts up to that slot.
  public mutating func observe(_ window: PriceWindow, from slot: Slot) {
    closeWindow(before: slot)
    let earlier = PriceWindow.bits(upTo: slot.index - 1 - window.first.index)
    for column in window.columns {
      parts[column.number.index] = Part(slots: column.slots & ~earlier, start: column.start)
    }
    self.window = window
  }

  /// Takes out of the window what counts on: of each asset the last two prices before a slot.
  private mutating func closeWindow(before slot: Slot) {
    guard let window else { return }
    self.window = nil
    let seen = PriceWindow.bits(upTo: slot.index - 1 - window.first.index)
    for column in window.columns {
      let i = column.number.index
      var slots = parts[i].slots & seen
      parts[i] = Part()
      guard slots != 0 else { continue }
      let last = UInt16.bitWidth - 1 - slots.leadingZeroBitCount
      slots &= ~(1 << UInt16(last))
      let before = UInt16.bitWidth - 1 - slots.leadingZeroBitCount
      for place in [before, last] where place >= 0 {
        note(
          window.prices[column.start + place], of: column.number,
          in: window.first.advanced(by: place))
      }
    }
  }

  /// Takes note of all prices of a table.
  ///
  /// O(n), with a look-up by name for each.
  public mutating func observe(_ table: PriceTable) {
    for row in table.prices { observe(row.price, of: number(of: row.asset), in: table.slot) }
  }

  /// The price that counts for an asset at a slot, or nil where there is none.
  ///
  /// O(1).
  ///
  /// - Precondition: `slot` is at most one before the latest observed; of more the past is gone.
  public func quote(of number: AssetNumber, at slot: Slot) -> Quote? {
    if let latest { precondition(slot.index >= latest.index - 1) }
    var number = number
    var factors: [Price] = []
    while number != base, let link = links[number.index], link.fromSlot <= slot {
      guard factors.count < Successions.stepsMax else { return nil }
      factors.append(link.factor)
      number = link.target
    }
    guard number != base else { return Quote(price: .one, pricedAt: slot, factors: factors) }
    let observation = observation(of: number.index, at: slot.index)
    guard observation.slotIndex != .min else { return nil }
    return Quote(
      price: observation.price, pricedAt: Slot(index: observation.slotIndex), factors: factors)
  }

  /// Whether the asset takes its own price at every slot, so that `observation` is the answer.
  func isPlain(_ number: AssetNumber) -> Bool { number != base && links[number.index] == nil }

  /// The last price of the asset itself at a slot, or at the one before the latest.
  @inline(__always)
  func observation(of index: Int, at slotIndex: Int64) -> Observation {
    if let window {
      let part = parts[index]
      let slots = part.slots & PriceWindow.bits(upTo: slotIndex - window.first.index)
      if slots != 0 {
        let place = UInt16.bitWidth - 1 - slots.leadingZeroBitCount
        return Observation(
          price: window.prices[part.start + place], slotIndex: window.first.index + Int64(place))
      }
    }
    let last = current[index]
    return last.slotIndex > slotIndex ? previous[index] : last
  }

  /// The slots of the window with a price of an asset, and where its prices begin.
  @inline(__always)
  func part(_ index: Int) -> Part { parts[index] }
}
