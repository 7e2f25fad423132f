// refused: lifetime-dependent
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  try environment.read { tx in
    let view = try tx.get(table, [1])
    Task { print(view?.byteCount ?? 0) }
  }
}
