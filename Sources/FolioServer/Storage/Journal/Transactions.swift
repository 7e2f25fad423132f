import LMDB

// A transaction of the engine answers through the view of the journal that it was begun with.

extension ReadTransaction: ServerReading {
  private var view: JournalView {
    guard let view = attachment as? JournalView else {
      preconditionFailure("the storage begins every transaction with a view of the journal")
    }
    return view
  }

  func row(_ space: Space, _ key: [UInt8]) throws -> [UInt8]? {
    let view = view
    return try view.row(space, key) ?? bytes(view.databases[space.rawValue], key)
  }

  func scan(
    _ space: Space, _ range: RowRange, _ order: RowOrder,
    _ body: (_ key: RawSpan, _ row: RawSpan) throws -> RowStep
  ) throws {
    try view.scan(space, range, order, self, body)
  }
}

extension WriteTransaction: ServerWriting {
  private var view: JournalView {
    guard let view = attachment as? JournalView else {
      preconditionFailure("the storage begins every transaction with a view of the journal")
    }
    return view
  }

  func row(_ space: Space, _ key: [UInt8]) throws -> [UInt8]? {
    let view = view
    return try view.row(space, key) ?? bytes(view.databases[space.rawValue], key)
  }

  func scan(
    _ space: Space, _ range: RowRange, _ order: RowOrder,
    _ body: (_ key: RawSpan, _ row: RawSpan) throws -> RowStep
  ) throws {
    try view.scan(space, range, order, reading, body)
  }

  mutating func put(_ space: Space, _ key: [UInt8], _ row: [UInt8]) throws {
    try view.put(space, key, row, &self)
  }

  mutating func delete(_ space: Space, _ key: [UInt8]) throws {
    try view.delete(space, key, &self)
  }
}
