import Foundation
import LMDB
import Testing

@Suite struct TransactionTests {
  @Test func aPutIsReadBackAndDeleted() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "folio-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let environment = try Environment.open(at: folder.path(), .init(databases: ["a", "b"]))
    let a = environment.database("a")
    try environment.write { tx in
      try tx.put(a, [1], [10, 11])
      try tx.put(a, [2], [20])
      try tx.put(a, [3], [])
    }
    let copy = try environment.read { tx in try tx.bytes(a, [1]) }
    #expect(copy == [10, 11])
    let sum = try environment.read { tx -> Int in
      guard let view = try tx.get(a, [2]) else { return -1 }
      return Int(view.unsafeLoad(as: UInt8.self))
    }
    #expect(sum == 20)
    var keys: [[UInt8]] = []
    try environment.read { tx in
      try tx.scan(a, .all, .descending) { key, _ in
        keys.append(key.copied)
        return .next
      }
    }
    #expect(keys == [[3], [2], [1]])
    try environment.write { tx in
      let found = try tx.delete(a, [2])
      #expect(found)
      let view = try tx.reading.get(a, [1])
      #expect(view?.byteCount == 2)
    }
    #expect(try environment.read { try $0.count(a) } == 2)
  }
}
