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
      default: break
      }
      format.version += 1
    }
    try base.put(spaces.format, FormatRecord.key, format.encoded)
  }
}
