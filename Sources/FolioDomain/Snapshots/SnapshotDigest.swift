/// The digest of a snapshot: SHA-256 over these bytes, from which two devices see that they hold
/// the same.
///
///     snapshot = label slot asset*
///     label    = the 17 bytes "folio snapshot 1\n", as UTF-8 with the line feed
///     slot     = i64: the slot's number, counted from 1970-01-01T00Z
///     asset    = field(type) field(id) field(amount) field(category) field(price) field(pricedAt)
///     field(x) = u32: the number of bytes of x; then x
///
/// - u32 and i64 are big-endian; i64 is in two's complement.
/// - The assets are those whose amount is not 0, by type and then by id, each compared as bytes.
/// - type and id are UTF-8. amount is the sum in its one decimal form, digits beyond an amount's
///   range included. category is the key, as UTF-8, of the category the asset was in then: the last
///   one named, or its type's name where none was.
/// - price is, in its one decimal form, the price that counts for the asset (`PriceCarrier`): for
///   one with a successor that of the asset at the end of the chain, without the factors. It is
///   empty where the asset is unpriced. An amount or value out of range changes nothing here.
/// - pricedAt is the slot of the table where that price stands, as an i64; empty where price is.
///   For the base currency price is `1` and pricedAt the snapshot's slot.
///
/// Spellings and values are left out: spellings do not make two devices differ, and values follow
/// from the rest and the asset table.
public enum SnapshotDigest {
  /// What the hashed bytes begin with.
  public static let label = "folio snapshot 1\n"

  /// The digest of a snapshot.
  ///
  /// O(bytes).
  public static func digest<H: HashFunction>(of snapshot: Snapshot, using: H.Type) -> Hash256 {
    var bytes = header(of: snapshot.slot)
    for asset in snapshot.assets {
      appendHolding(asset.asset, asset.amount, asset.category.key, to: &bytes)
      appendPrice(asset.quote?.price, to: &bytes)
      appendPricedAt(asset.quote?.pricedAt, to: &bytes)
    }
    var hash = H()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finalize()
  }

  static func header(of slot: Slot) -> [UInt8] {
    var bytes = Array(label.utf8)
    appendBigEndian(UInt64(bitPattern: slot.index), to: &bytes)
    return bytes
  }

  static func appendHolding(
    _ asset: AssetKey, _ amount: Int256, _ category: CategoryKey, to bytes: inout [UInt8]
  ) {
    appendField(to: &bytes) { $0.append(contentsOf: asset.type.text.utf8) }
    appendField(to: &bytes) { $0.append(contentsOf: asset.id.text.utf8) }
    appendField(to: &bytes) { amount.appendDecimalText(to: &$0) }
    appendField(to: &bytes) { $0.append(contentsOf: category.text.utf8) }
  }

  static func appendPrice(_ price: Price?, to bytes: inout [UInt8]) {
    appendField(to: &bytes) { price?.appendText(to: &$0) }
  }

  static func appendPricedAt(_ slot: Slot?, to bytes: inout [UInt8]) {
    appendField(to: &bytes) {
      if let slot { appendBigEndian(UInt64(bitPattern: slot.index), to: &$0) }
    }
  }

  /// Appends what `content` appends, with its length before it.
  private static func appendField(
    to bytes: inout [UInt8], _ content: (inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    for _ in 0..<4 { bytes.append(0) }
    content(&bytes)
    let count = UInt32(bytes.count - start - 4)
    for i in 0..<4 { bytes[start + i] = UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * i)) }
  }

  private static func appendBigEndian(_ value: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
