// refused: overlapping accesses
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  try environment.write { tx in
    let view = try tx.reading.get(table, [1])
    try tx.delete(table, [1])
    print(view?.byteCount ?? 0)
  }
}
