// compiles
import LMDB

func length(_ reading: borrowing ReadTransaction, _ table: Database) throws -> Int {
  guard let view = try reading.get(table, [1]) else { return 0 }
  return view.byteCount
}

func use(_ environment: Environment) throws -> Int {
  let table = environment.database("table")
  try environment.write { tx in
    try tx.put(table, [1], [1, 2, 3])
    let before = try tx.get(table, [1])?.byteCount
    try tx.put(table, [2], [UInt8(before ?? 0)])
    let copy = try tx.reading.get(table, [2])?.copied ?? []
    try tx.put(table, [3], copy)
    var first = UInt8(0)
    if let view = try tx.get(table, [3]) {
      first = view.unsafeLoad(as: UInt8.self)
    }
    try tx.put(table, [4], [first])
    _ = try length(tx.reading, table)
  }
  var keys: [[UInt8]] = []
  try environment.read { tx in
    try tx.scan(table, .all) { key, _ in
      keys.append(key.copied)
      return .next
    }
  }
  return try environment.read { try length($0, table) } + keys.count
}
