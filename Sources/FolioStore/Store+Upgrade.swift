internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Brings a store of an older format up to date, step by step.
  ///
  /// The format is looked at anew here: another process may have done it meanwhile.
  mutating func upgrade() throws {
    guard var format = try FormatRecord.read(base.reading, spaces.format) else { return }
    while format.version < FormatRecord.version {
      switch format.version {
      // Format 2 keeps records in the order of their titles.
      case 1: try rebuildPlaces(of: .record)
      // Format 3 knows each entry's transaction by its id, as far as format 2 kept them.
      case 2: try noteKnownIDs()
      // Format 4 keeps price tables in blocks.
      case 3: try packTables()
      // Format 5 has what is held, with its price, in the records of categories, too.
      case 4: try rewriteHoldings()
      default: break
      }
      format.version += 1
    }
    try base.put(spaces.format, FormatRecord.key, format.encoded)
  }

  /// Writes what is held as this format has it.
  ///
  /// Where what it is made of cannot be read it stays what it was, as far as that can be read; `verify`
  /// tells so, and a repair mends it. A store that could not be opened would keep back what only it has.
  private mutating func rewriteHoldings() throws {
    let before = try reading.holdingsOfFormat4()
    do {
      try remakeHoldings()
    } catch StorageError.corrupt, StoreError.unreadableRecord, StoreError.missingRecord {
      try clearHoldings()
      for (asset, record) in before { try replace(asset, nil, with: record) }
    }
  }
}

extension StoreReadTransaction {
  /// What is held as format 4 wrote it, without prices, up to the first record that cannot be read.
  fileprivate func holdingsOfFormat4() throws -> [(AssetKey, AssetRecord)] {
    var found: [(AssetKey, AssetRecord)] = []
    do {
      try base.scan(spaces.assets, .all) { key, value in
        var keyReader = KeyReader(key)
        var reader = RecordReader(value, of: spaces.assets.name)
        found.append((try keyReader.readAsset(), try reader.readAssetOfFormat4()))
        return .next
      }
    } catch StorageError.corrupt, StorageError.keyUnreadable, StoreError.unreadableRecord {
      return found
    }
    return found
  }
}

extension RecordReader {
  fileprivate mutating func readAssetOfFormat4() throws(StoreError) -> AssetRecord {
    var accepted = AcceptedAsset()
    accepted.amount = try readInt256()
    accepted.category = try readBool() ? try readStampedCategory() : nil
    accepted.wasInSnapshot = try readBool()
    let pending = try readPendingAsset()
    try finish()
    return AssetRecord(accepted: accepted, pending: pending)
  }
}
