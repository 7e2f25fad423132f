internal import FolioDomain
internal import LMDB

/// For each name the transaction that changed it last.
///
/// It is written in that transaction, so that whoever reads a state reads with it what has changed
/// since another, in this process or another. A copy of a store may begin its transactions anew: what
/// counts is that the numbers differ.
struct ChangesRecord: SingleRecord {
  static let name = "changes"

  /// By the names' places; 0 where none has.
  private(set) var transactions = [UInt64](repeating: 0, count: StoredNames.countMax)

  init() {}

  init(_ reader: inout RecordReader) throws(StoreError) {
    for _ in 0..<(try reader.readCount()) {
      let place = try reader.readCount()
      guard transactions.indices.contains(place) else { throw reader.unreadable }
      transactions[place] = try reader.readVarint()
    }
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(varint: UInt64(transactions.count { $0 > 0 }))
    for (place, transaction) in transactions.enumerated() where transaction > 0 {
      writer.append(varint: UInt64(place))
      writer.append(varint: transaction)
    }
  }

  mutating func note(_ names: StoredNames, in transaction: UInt64) {
    for place in names.places { transactions[place] = transaction }
  }
}

/// What a write has changed.
struct CommittedChanges: Sendable {
  var names: StoredNames
  /// The collections whose documents changed; nil for all.
  var collections: Set<CollectionName>?
  var transaction: UInt64
}

extension StoreReadTransaction {
  /// For each name the transaction that changed it last; 0 where none has.
  func versions(of names: [StoredName]) throws -> [UInt64] {
    let changes = try single(ChangesRecord.self)
    return try names.map { name in
      guard let collection = name.collection else { return changes.transactions[name.place] }
      guard let span = try base.get(spaces.cursor, Self.changesKey(collection)) else { return 0 }
      var reader = RecordReader(span, of: spaces.cursor.name)
      return try reader.readVarint()
    }
  }

  /// The collections that any transaction has changed.
  fileprivate func notedCollections() throws -> Set<CollectionName> {
    let head = Array(Self.changesHead.utf8)
    var found: Set<CollectionName> = []
    try base.scan(spaces.cursor, .prefix(head)) { key, _ in
      let name = String(decoding: key.copied.dropFirst(head.count), as: UTF8.self)
      found.insert(CollectionName(unchecked: name))
      return .next
    }
    return found
  }

  private static var changesHead: String { "changes/" }

  fileprivate static func changesKey(_ collection: CollectionName) -> [UInt8] {
    Array((changesHead + collection.text).utf8)
  }
}

extension StoreWriteTransaction {
  /// Writes down what the transaction has changed; nil where that is nothing.
  ///
  /// The last thing that a write does.
  mutating func noteChanges() throws -> CommittedChanges? {
    if base.isCancelled || base.touched.isEmpty { return nil }
    let names = context.names(of: base.touched)
    let changes = CommittedChanges(
      names: names, collections: names.contains(.documents) ? session.collections : [],
      transaction: base.reading.transaction)
    var record: ChangesRecord = try reading.single()
    record.note(names, in: changes.transaction)
    try put(record)
    var writer = RecordWriter()
    writer.append(varint: changes.transaction)
    for collection in try changes.collections ?? reading.notedCollections() {
      try base.put(spaces.cursor, StoreReadTransaction.changesKey(collection), writer.bytes)
    }
    return changes
  }
}
