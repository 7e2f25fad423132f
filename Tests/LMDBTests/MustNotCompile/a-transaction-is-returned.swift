// refused: conform to 'Escapable'
import LMDB

func use(_ environment: Environment) throws {
  let kept: WriteTransaction = try environment.write { tx in return tx }
  _ = kept
}
