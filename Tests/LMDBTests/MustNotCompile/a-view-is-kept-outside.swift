// refused: lifetime-dependent
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  var kept: RawSpan?
  try environment.read { tx in kept = try tx.get(table, [1]) }
  _ = kept?.byteCount
}
