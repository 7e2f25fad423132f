// refused: lifetime-dependent
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  try environment.read { tx in
    var kept: KeyReader?
    try tx.scan(table, .all) { key, _ in
      kept = KeyReader(key)
      return .next
    }
    _ = kept?.isAtEnd
  }
}
