// refused: overlapping accesses
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  try environment.write { tx in
    try tx.scan(table, .all) { _, _ in
      try tx.put(table, [1], [1])
      return .next
    }
  }
}
