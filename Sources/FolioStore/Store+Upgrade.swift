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
  /// Where what it is made of cannot be read there is none of it then, which `verify` tells and a repair
  /// mends: a store that could not be opened would keep back what only it has.
  private mutating func rewriteHoldings() throws {
    do {
      try remakeHoldings()
    } catch StorageError.corrupt, StoreError.unreadableRecord, StoreError.missingRecord {
      try clearHoldings()
    }
  }
}
