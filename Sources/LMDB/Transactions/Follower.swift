/// Finds keys that come in ascending order, most of them next to the one before.
struct Follower: ~Copyable {
  private var cursor: Cursor
  private let name: String
  /// Whether the cursor stands on a record; nil before the first search.
  private var isInside: Bool?

  /// How many records are gone over before one is searched for.
  private static let stepsMax = 3

  init(_ context: TransactionContext, _ database: borrowing Database) throws(StorageError) {
    cursor = try Cursor(context, database)
    name = database.name
  }

  /// The value of a key, which is not below the last one that was asked for; nil where it is not
  /// there.
  mutating func find(
    _ wanted: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    var isInside = true
    if let known = self.isInside {
      isInside = known
    } else {
      isInside = try unsafe cursor.seek(wanted)
    }
    var steps = 0
    while isInside, unsafe Record.bytes(cursor.key).isBelow(wanted) {
      isInside = steps < Self.stepsMax ? try cursor.advance() : try unsafe cursor.seek(wanted)
      steps += 1
    }
    self.isInside = isInside
    guard isInside, unsafe !wanted.isBelow(Record.bytes(cursor.key)) else { return nil }
    guard unsafe Record.isWhole(key: wanted, record: cursor.value) else {
      throw .corrupt(database: name)
    }
    return unsafe Record.value(cursor.value)
  }
}
