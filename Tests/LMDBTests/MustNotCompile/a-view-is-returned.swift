// refused: conform to 'Escapable'
import LMDB

func use(_ environment: Environment) throws {
  let table = environment.database("table")
  let view: RawSpan? = try environment.read { tx in return try tx.get(table, [1]) }
  _ = view
}
