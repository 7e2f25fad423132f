internal import FolioDomain

extension PriceBlock {
  /// The block as it is stored.
  ///
  /// Two bytes say which slots have a table, least byte first; then comes how many columns follow. A
  /// column is the distance of its number from the least that it could be, its form, where it has no
  /// price in some table the slots that it has one in, and its prices.
  var record: [UInt8] {
    var writer = RecordWriter(reserving: 16 + columns.count * 40)
    writer.append(tables)
    writer.append(varint: UInt64(columns.count))
    var least: UInt64 = 0
    var held: [Price] = []
    for (index, column) in columns.enumerated() {
      writer.append(varint: UInt64(column.number) - least)
      least = UInt64(column.number) + 1
      held.removeAll(keepingCapacity: true)
      for place in 0..<Self.slotCount where column.slots & (1 << UInt16(place)) != 0 {
        held.append(prices[index * Self.slotCount + place])
      }
      let packed = PackedPrices(held)
      let form = PriceForm(scale: packed?.scale, isPartial: column.slots != tables)
      writer.append(form.byte)
      if form.isPartial { writer.append(column.slots) }
      if let packed {
        packed.append(to: &writer)
      } else {
        for price in held { writer.append(price) }
      }
    }
    return writer.bytes
  }

  /// Reads what `record` wrote, as far as its columns are wanted; the others are as if not there.
  ///
  /// - Complexity: O(prices) of the wanted columns, and O(columns).
  init(
    _ reader: inout RecordReader, first: Slot, where isWanted: (UInt32) -> Bool
  ) throws(StoreError) {
    guard first == Self.first(of: first) else { throw reader.unreadable }
    let tables = try Self.readTables(&reader)
    self.init(first: first, tables: tables, columns: [], prices: [])
    let count = try reader.readCount()
    // No column has fewer bytes: a damaged count asks for no memory.
    guard count <= reader.remaining / 3 else { throw reader.unreadable }
    try readColumns(count, &reader, where: isWanted)
    try reader.finish()
  }

  /// Which slots have a table, at the start of a record.
  static func readTables(_ reader: inout RecordReader) throws(StoreError) -> UInt16 {
    let tables = try reader.readUInt16()
    guard tables != 0 else { throw reader.unreadable }
    return tables
  }

  private mutating func readColumns(
    _ count: Int, _ reader: inout RecordReader, where isWanted: (UInt32) -> Bool
  ) throws(StoreError) {
    var columns: [Column] = []
    var prices: [Price] = []
    columns.reserveCapacity(count)
    var least: UInt64 = 0
    for _ in 0..<count {
      let (next, isTooGreat) = least.addingReportingOverflow(try reader.readVarint())
      guard !isTooGreat, let number = UInt32(exactly: next) else { throw reader.unreadable }
      least = next + 1
      guard let form = PriceForm(byte: try reader.readByte()) else { throw reader.unreadable }
      let slots = form.isPartial ? try reader.readUInt16() : tables
      guard slots != 0, slots & ~tables == 0, form.isPartial == (slots != tables) else {
        throw reader.unreadable
      }
      guard isWanted(number) else {
        try reader.skipPrices(form, count: slots.nonzeroBitCount)
        continue
      }
      columns.append(Column(number: number, slots: slots))
      let start = prices.count
      prices.append(contentsOf: repeatElement(.zero, count: Self.slotCount))
      try reader.readPrices(form, slots: slots, into: &prices, at: start)
    }
    self = PriceBlock(first: first, tables: tables, columns: columns, prices: prices)
  }
}

/// How a column's prices are written.
private struct PriceForm {
  /// How many digits stand after the point in all of them; nil where each says it for itself.
  var scale: Int?
  /// Whether the column has no price in some table.
  var isPartial: Bool

  private static let plain: UInt8 = 0x7f
  private static let partial: UInt8 = 0x80

  var byte: UInt8 {
    (scale.map { UInt8($0) } ?? Self.plain) | (isPartial ? Self.partial : 0)
  }

  init(scale: Int?, isPartial: Bool) {
    self.scale = scale
    self.isPartial = isPartial
  }

  init?(byte: UInt8) {
    let scale = byte & ~Self.partial
    guard scale <= Price.decimalPlaceLimit || scale == Self.plain else { return nil }
    self.init(
      scale: scale == Self.plain ? nil : Int(scale), isPartial: byte & Self.partial != 0)
  }
}

/// A column's prices as whole numbers of one unit: the first, then how far each is from the one before,
/// all in as many bits as the farthest needs.
private struct PackedPrices {
  /// How many digits stand after the point in the unit.
  let scale: Int
  private let first: Int64
  /// The sign stands in the lowest bit.
  private var steps: [UInt64] = []
  private let width: Int

  /// Wider ones would not be read in one load.
  static let widthMax = 56

  /// Nil where prices of one unit would have too many digits, or take more room than each by itself.
  init?(_ prices: [Price]) {
    scale = Int(prices.reduce(0) { max($0, $1.scale) })
    var last: Int64?
    var first: Int64 = 0
    var all: UInt64 = 0
    for price in prices {
      guard let units = price.units(ofScale: scale) else { return nil }
      if let last {
        let distance = units - last
        let step = UInt64(bitPattern: (distance << 1) ^ (distance >> 63))
        steps.append(step)
        all |= step
      } else {
        first = units
      }
      last = units
    }
    self.first = first
    width = UInt64.bitWidth - all.leadingZeroBitCount
    guard width <= Self.widthMax, byteCount <= Self.plainByteCount(prices) else { return nil }
  }

  private var byteCount: Int {
    RecordWriter.byteCount(varint: UInt64(first))
      + (steps.isEmpty ? 0 : 1 + (steps.count * width + 7) / 8)
  }

  private static func plainByteCount(_ prices: [Price]) -> Int {
    prices.reduce(0) { $0 + RecordWriter.byteCount(varint: UInt64($1.mantissa)) + 1 }
  }

  func append(to writer: inout RecordWriter) {
    writer.append(varint: UInt64(first))
    if steps.isEmpty { return }
    writer.append(UInt8(width))
    writer.append(packed: steps, width: width)
  }
}

extension Price {
  /// The price in units of 10^-`scale`, at least its own; nil beyond what a price can have.
  fileprivate func units(ofScale scale: Int) -> Int64? {
    var units = mantissa
    for _ in Int(self.scale)..<scale {
      if units >= Self.unitLimit / 10 { return nil }
      units *= 10
    }
    return units
  }

  /// Each price's digits are below it.
  private static let unitLimit: Int64 = 1_000_000_000_000_000_000
}

extension RecordReader {
  /// Reads a column's prices into those of its slots, which begin at `start`.
  fileprivate mutating func readPrices(
    _ form: PriceForm, slots: UInt16, into prices: inout [Price], at start: Int
  ) throws(StoreError) {
    var prices = prices.mutableSpan
    var left = slots
    guard let scale = form.scale else {
      while left != 0 { prices[start + Self.takePlace(&left)] = try readPrice() }
      return
    }
    guard var units = Int64(exactly: try readVarint()),
      let first = Price(mantissa: units, scale: scale)
    else { throw unreadable }
    prices[start + Self.takePlace(&left)] = first
    if left == 0 { return }
    let width = try readWidth()
    let steps = try takePacked(left.nonzeroBitCount, width: width)
    let mask: UInt64 = 1 << UInt64(width) - 1
    var bit = 0
    while left != 0 {
      let step = packed(steps, bit: bit, mask: mask)
      bit += width
      units &+= Int64(bitPattern: step >> 1) ^ -Int64(bitPattern: step & 1)
      guard let price = Price(mantissa: units, scale: scale) else { throw unreadable }
      prices[start + Self.takePlace(&left)] = price
    }
  }

  /// The place of the lowest bit that is left.
  @inline(__always)
  private static func takePlace(_ left: inout UInt16) -> Int {
    defer { left &= left &- 1 }
    return left.trailingZeroBitCount
  }

  fileprivate mutating func skipPrices(_ form: PriceForm, count: Int) throws(StoreError) {
    guard form.scale != nil else {
      for _ in 0..<count { _ = try readPrice() }
      return
    }
    _ = try readVarint()
    if count > 1 { _ = try takePacked(count - 1, width: try readWidth()) }
  }

  private mutating func readWidth() throws(StoreError) -> Int {
    let width = Int(try readByte())
    guard width <= PackedPrices.widthMax else { throw unreadable }
    return width
  }
}
