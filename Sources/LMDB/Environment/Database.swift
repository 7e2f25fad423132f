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
