import FolioDomain

/// A price table as it is stored: assets by their numbers, in byte order of type and id.
struct TableRow {
  /// The revision; 0 while the table is held back.
  var revision: UInt64
  var prices: [StoredPrice]

  /// A price with when it was seen.
  struct StoredPrice: Equatable {
    /// The asset's number.
    var asset: UInt32
    var price: Price
    /// How long before the boundary it was seen, in milliseconds.
    var age: UInt64
  }

  init(revision: UInt64 = 0, prices: [StoredPrice] = []) {
    self.revision = revision
    self.prices = prices
  }

  init(_ span: RawSpan) throws {
    var reader = RowReader(span, of: .tables)
    revision = try reader.integer()
    let count = try reader.varint()
    // Each price takes four bytes or more: a count beyond that is damage, not a reservation.
    guard count <= UInt64(reader.remaining / 4) else {
      throw ServerStorageError.damaged(space: .tables, what: "count out of range")
    }
    prices = []
    prices.reserveCapacity(Int(count))
    for _ in 0..<count {
      let asset = UInt32(truncatingIfNeeded: try reader.varint())
      let scale: UInt8 = try reader.integer()
      let mantissa = try reader.varint()
      guard mantissa <= UInt64(Int64.max),
        let price = Price(mantissa: Int64(mantissa), scale: Int(scale))
      else { throw ServerStorageError.damaged(space: .tables, what: "price out of range") }
      prices.append(StoredPrice(asset: asset, price: price, age: try reader.varint()))
    }
    try reader.end()
  }

  var row: [UInt8] {
    var writer = RowWriter(capacity: 16 + prices.count * 16)
    writer.integer(revision)
    writer.varint(UInt64(prices.count))
    for price in prices {
      writer.varint(UInt64(price.asset))
      writer.integer(price.price.scale)
      writer.varint(UInt64(price.price.mantissa))
      writer.varint(price.age)
    }
    return writer.bytes
  }

  /// The revision alone, without reading the prices.
  static func revision(_ span: RawSpan) throws -> UInt64 {
    var reader = RowReader(span, of: .tables)
    return try reader.integer()
  }
}

/// The assets behind the numbers in price tables.
struct AssetNumbers: Sendable {
  /// Number n stands at n - 1.
  private(set) var keys: [AssetKey?] = []

  /// All numbers given so far.
  ///
  /// O(assets).
  init<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T, last: UInt32) throws {
    var keys = [AssetKey?](repeating: nil, count: Int(last))
    try transaction.scan(.assetNumbers, .all, .ascending) { key, row in
      var reader = RowReader(row, of: .assetNumbers)
      let number: UInt32 = try reader.integer()
      guard number >= 1, number <= last else {
        throw ServerStorageError.damaged(space: .assetNumbers, what: "number never given")
      }
      keys[Int(number) - 1] = try TableKey.asset(ofKey: key, in: .assetNumbers)
      return .next
    }
    self.keys = keys
  }

  init() {}

  subscript(number: UInt32) -> AssetKey? {
    number >= 1 && number <= keys.count ? keys[Int(number) - 1] : nil
  }

  func key(_ number: UInt32) throws -> AssetKey {
    guard let key = self[number] else {
      throw ServerStorageError.damaged(space: .tables, what: "price of an unknown asset number")
    }
    return key
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  func table(_ slot: Slot) throws -> TableRow? {
    try row(.tables, TableKey.slot(slot)).map { try TableRow($0.span.bytes) }
  }
}
