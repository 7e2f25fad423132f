internal import FolioDomain
internal import LMDB

/// What a store says of itself, in `meta/format`.
struct FormatRecord: Hashable {
  /// Whose stores this program opens.
  static let application = "folio client store"
  /// The newest format this program knows, and the one it writes.
  static let version: UInt64 = 5
  /// What the files are written with.
  static let engine = "lmdb 0.9"

  static let key = Array("format".utf8)

  var application: String
  var version: UInt64
  var engine: String
  var createdAt: Timestamp

  var encoded: [UInt8] {
    var writer = RecordWriter()
    // These two stand first in every format, so that any version can tell what it is not.
    writer.append(text: application)
    writer.append(varint: version)
    writer.append(text: engine)
    writer.append(createdAt)
    return writer.bytes
  }

  /// The record of an environment; nil where it has none.
  static func read(_ transaction: borrowing ReadTransaction, _ database: Database) throws
    -> FormatRecord?
  {
    guard let span = try transaction.get(database, key) else { return nil }
    var reader = RecordReader(span, of: Spaces.formatName)
    let application = try reader.readText()
    let version = try reader.readVarint()
    guard application == Self.application, version <= Self.version else {
      // What follows is for the program that wrote it.
      return FormatRecord(
        application: application, version: version, engine: "",
        createdAt: Timestamp(milliseconds: 0))
    }
    let engine = try reader.readText()
    return FormatRecord(
      application: application, version: version, engine: engine,
      createdAt: try reader.readTimestamp())
  }
}
