internal import FolioDomain
internal import LMDB

/// A record of which a store has one.
protocol SingleRecord {
  /// Its key.
  static var name: String { get }
  /// Which space it stands in.
  static func space(_ spaces: Spaces) -> Database
  /// What counts where it was never written.
  init()
  /// Reads what `encode` wrote.
  init(_ reader: inout RecordReader) throws(StoreError)
  func encode(_ writer: inout RecordWriter)
}

extension SingleRecord {
  static func space(_ spaces: Spaces) -> Database { spaces.cursor }
}

extension StoreReadTransaction {
  /// The record, or what counts where it was never written.
  func single<R: SingleRecord>(_ type: R.Type = R.self) throws -> R {
    let database = R.space(spaces)
    guard let span = try base.get(database, Array(R.name.utf8)) else { return R() }
    var reader = RecordReader(span, of: database.name)
    let record = try R(&reader)
    try reader.finish()
    return record
  }
}

extension StoreWriteTransaction {
  mutating func put(_ record: some SingleRecord) throws {
    var writer = RecordWriter()
    record.encode(&writer)
    let record = type(of: record)
    try base.put(record.space(spaces), Array(record.name.utf8), writer.bytes)
  }
}
