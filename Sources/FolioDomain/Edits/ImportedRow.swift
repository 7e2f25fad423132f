/// What a row of a file that is imported asks for.
///
/// Each row becomes a transaction of its own, whose id is derived from what the row says and from how
/// many equal rows are before it in the file. So importing a file twice, even on two devices, is
/// importing it once, and two truly equal rows of one file are two.
public enum ImportedRow: Hashable, Sendable {
  /// Adds an amount of an asset, into a category where one is named.
  case holding(AssetKey, Amount, category: Category?)
  /// Sets fields of a document, making it where it is new.
  case document(DocumentPut)

  /// The edit that the row comes to.
  public var edit: Edit {
    switch self {
    case .holding(let asset, let amount, let category): .add(asset, amount, category: category)
    case .document(let put): .put(put)
    }
  }

  /// The id of the transaction that the row becomes: the first 128 bits of the hash of its canonical
  /// form and its ordinal, which is how many equal rows are before it in its file.
  ///
  /// - Complexity: O(bytes).
  public func transactionID<H: HashFunction>(ordinal: Int, using: H.Type) -> TransactionID {
    var bytes = CanonicalBytes()
    bytes.append("folio imported row 1")
    appendCanonicalForm(to: &bytes)
    bytes.append(UInt64(ordinal))
    let hash = bytes.hash(using: H.self)
    return TransactionID(UInt128(hash.words.0) << 64 | UInt128(hash.words.1))
  }

  private func appendCanonicalForm(to bytes: inout CanonicalBytes) {
    switch self {
    case .holding(let asset, let amount, let category):
      bytes.append(UInt8(1))
      bytes.append(asset.type.text)
      bytes.append(asset.id.text)
      bytes.append(amount.text)
      bytes.append(UInt8(category == nil ? 0 : 1))
      bytes.append(category?.key.text ?? "")
      bytes.append(category?.spelling.text ?? "")
    case .document(let put):
      bytes.append(UInt8(2))
      bytes.append(put.collection.text)
      bytes.append(put.document.text)
      for field in put.set.sorted(by: { $0.path < $1.path }) {
        bytes.append(field.path.name.text)
        bytes.append(UInt8(field.path.member == nil ? 0 : 1))
        bytes.append(field.path.member?.text ?? "")
        bytes.append(field.value)
      }
    }
  }
}

/// Counts equal rows as a file is read, so that each gets its ordinal.
public struct ImportedRowCounter: Sendable {
  private var counts: [ImportedRow: (count: Int, place: Int)] = [:]

  /// No row yet.
  public init() {}

  /// How many rows equal to `row` were counted before, and the place of the first of them; counts it.
  ///
  /// O(1).
  public mutating func count(_ row: ImportedRow, at place: Int) -> (ordinal: Int, first: Int) {
    let before = counts[row] ?? (0, place)
    counts[row] = (before.count + 1, before.place)
    return (before.count, before.place)
  }
}
