// refused: overlapping accesses
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  try environment.write { tx in
    let view = try tx.get(table, [1])
    try tx.put(table, [2], [2])
    print(view?.byteCount ?? 0)
  }
}
