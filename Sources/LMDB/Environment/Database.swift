import CLMDB

/// A named table of keys and values inside an environment, opened when the environment was.
public struct Database: Sendable {
  /// The name it was opened by.
  public let name: String

  let handle: MDB_dbi
  let owner: UInt64

  init(name: String, handle: MDB_dbi, owner: UInt64) {
    self.name = name
    self.handle = handle
    self.owner = owner
  }
}

/// Some of the databases of an environment, as one word.
///
/// An environment with more than 64 of them has some that share a mark.
public struct DatabaseMarks: Hashable, Sendable {
  private var bits: UInt64 = 0

  /// None of them.
  public init() {}

  /// Those databases.
  public init(_ databases: some Sequence<Database>) {
    for database in databases { insert(database) }
  }

  /// Whether none is marked.
  public var isEmpty: Bool { bits == 0 }

  /// Marks a database.
  @inline(__always)
  public mutating func insert(_ database: Database) {
    bits |= 1 << UInt64(database.handle % 64)
  }

  /// Whether some database is marked in both.
  @inline(__always)
  public func meets(_ other: DatabaseMarks) -> Bool { bits & other.bits != 0 }
}
