// refused: overlapping accesses
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  try environment.write { tx in
    if let view = try tx.get(table, [1]) {
      var key = KeyBuilder()
      key.append(UInt8(2))
      try tx.put(table, key, view)
    }
  }
}
