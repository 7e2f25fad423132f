/// What a look at every page and every record of a data file found.
public struct Verification: Sendable, Hashable {
  /// Something that is not as it should be.
  public struct Damage: Sendable, Hashable {
    /// The table it is in, or nil where it is in the file's own pages.
    public var table: String?
    /// What is wrong, without what records hold.
    public var what: String
    /// Whether it is within records, so that the pages they stand on can be changed all the same.
    public var isOfRecords = false
  }

  /// A table and what it has.
  public struct Table: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// How many records were read.
    public var recordCount: Int
  }

  /// The tables in the order of their names.
  public var tables: [Table] = []
  /// How many pages the file has by its last commit.
  public var pageCount = 0
  /// How many of them are free.
  public var freePageCount = 0
  /// How many belong to no tree and are not free either; they are lost room and no damage.
  public var lostPageCount = 0
  /// The first thousand things found wrong.
  public var damages: [Damage] = []

  /// Whether nothing was found wrong.
  public var isSound: Bool { damages.isEmpty }

  mutating func note(_ what: String, in table: String? = nil, isOfRecords: Bool = false) {
    if damages.count < 1000 {
      damages.append(Damage(table: table, what: what, isOfRecords: isOfRecords))
    }
  }
}
