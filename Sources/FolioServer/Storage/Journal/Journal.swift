import LMDB

/// The journal: rows that are committed together as one record, to be put into their tables later.
///
/// A commit writes every page that it changes. Pushes of many accounts change a page or two of three
/// tables each, so that 64 of them together wrote two hundred pages; as one record of the journal
/// they write a dozen. The rows are looked for in memory until they are moved to their tables in the
/// order of their keys: those of the older half of the journal a few with each commit, so that no push
/// waits for all of them, or all at once where something else is to be changed.
///
/// The journal is a table of the same environment: what holds of a commit holds of it.
enum Journal {
  /// The database that holds it.
  static let database = "server.log/journal"
  /// Where it is said which records are there; the first key of the table.
  static let boundsKey: [UInt8] = [0]
  /// What is said where a record is damaged, which nothing is read or written beside.
  static let damage = "the journal has a damaged record, and pushes that were acknowledged in it"
  /// What the keys of records begin with.
  static let prefix: [UInt8] = [1]

  /// The keys of the records up to one.
  static func keys(upTo last: UInt64) -> KeyRange {
    .from(prefix, upTo: key(last + 1).bytes)
  }

  /// The key of a record.
  static func key(_ number: UInt64) -> KeyBuilder {
    var key = KeyBuilder(reserving: 9)
    key.append(prefix[0])
    key.append(number)
    return key
  }

  /// The numbers of the records: never used twice, so that they say what is in the journal.
  struct Bounds: Equatable, Sendable {
    /// The first; after the last where there is none.
    var first: UInt64
    /// The last that ever was.
    var last: UInt64

    /// Of a journal that was never used.
    static let unused = Bounds(first: 1, last: 0)

    var isEmpty: Bool { first > last }

    init(first: UInt64, last: UInt64) {
      self.first = first
      self.last = last
    }

    init(_ row: [UInt8]) throws {
      var reader = RowReader(row.span.bytes, of: .meta)
      first = try reader.integer()
      last = try reader.integer()
      try reader.end()
      guard first >= 1, last >= first - 1 else {
        throw ServerStorageError.damaged(space: .meta, what: "the journal's bounds are wrong")
      }
    }

    var row: [UInt8] {
      var writer = RowWriter(capacity: 16)
      writer.integer(first)
      writer.integer(last)
      return writer.bytes
    }
  }
}
