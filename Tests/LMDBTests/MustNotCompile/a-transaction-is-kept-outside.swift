// refused: 'tx' is borrowed and cannot be consumed
import LMDB

func use(_ environment: Environment) throws {
  try environment.read { tx in
    let kept = tx
    _ = try kept.count(environment.database("table"))
  }
}
