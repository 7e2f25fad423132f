// refused: overlapping accesses
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  try environment.write { tx in
    let reading = tx.reading
    try tx.put(table, [2], [2])
    _ = try reading.count(table)
  }
}
