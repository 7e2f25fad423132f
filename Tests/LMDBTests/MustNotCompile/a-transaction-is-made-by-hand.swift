// refused: no exact matches in call to initializer
import LMDB

func use(_ environment: Environment) throws {
  let tx = ReadTransaction()
  _ = try tx.count(environment.database("table"))
}
