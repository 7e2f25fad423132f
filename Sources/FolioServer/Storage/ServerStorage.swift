/// What a state of the server's storage answers.
///
/// One transaction sees one state, whatever others commit meanwhile.
package protocol ServerReading: ~Copyable, ~Escapable {
  /// The row under `key`, or nil where there is none.
  func row(_ space: Space, _ key: [UInt8]) throws -> [UInt8]?

  /// Calls `body` with each key and row of a range until it says stop.
  ///
  /// The spans end with the call.
  func scan(
    _ space: Space, _ range: RowRange, _ order: RowOrder,
    _ body: (_ key: RawSpan, _ row: RawSpan) throws -> RowStep
  ) throws
}

/// What a change does to the server's storage: all of it, or nothing.
package protocol ServerWriting: ServerReading, ~Copyable, ~Escapable {
  /// Stores `row` under `key`, in place of what was there.
  mutating func put(_ space: Space, _ key: [UInt8], _ row: [UInt8]) throws

  /// Removes the row under `key`, where there is one.
  mutating func delete(_ space: Space, _ key: [UInt8]) throws
}

/// A question to the storage, answered from one state.
package protocol ServerQuery {
  /// What it answers.
  associatedtype Answer: Sendable
  /// Reads the answer. Nothing of the transaction may be kept.
  func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
}

/// A change of the storage, applied in one transaction.
package protocol ServerChange {
  /// What is known when it has been committed.
  associatedtype Answer: Sendable
  /// Applies the change; where it throws, nothing of it remains. It may be run again from the
  /// start, so it changes nothing but the transaction.
  func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws -> Answer
  /// Whether it is one of many small ones that somebody waits for, and only puts rows: a storage may
  /// keep them together until later.
  var isSmall: Bool { get }
}

extension ServerChange {
  /// It is not.
  package var isSmall: Bool { false }
}

/// Where a server keeps its accounts, logs and market data.
///
/// There are two: ``LMDBServerStorage`` on disk, and ``MemoryServerStorage`` for simulations.
/// All rules stand above this line, so both behave as one.
package protocol ServerStorage: Sendable {
  /// Answers `query` from the present state.
  func read<Query: ServerQuery>(_ query: Query) throws -> Query.Answer

  /// Applies `change` and commits it durably before returning.
  ///
  /// When it throws a ``ServerStorageError/commitFailed``, the change may or may not have been
  /// made: nobody may be told that it was.
  func write<Change: ServerChange>(_ change: Change) throws -> Change.Answer

  /// Puts in its place what small changes left for later; to be called when there is time.
  func tidy() throws
}

extension ServerStorage {
  /// Nothing is left for later.
  package func tidy() throws {}
}

/// Why the server's storage could not do what was asked.
@nonexhaustive
package enum ServerStorageError: Error, Hashable, Sendable {
  /// A commit failed; whether the change was made is unknown until the storage is opened again.
  case commitFailed(reason: String)
  /// The operation failed before anything was changed.
  case failed(reason: String)
  /// There is no room for it; nothing was changed.
  case full(reason: String)
  /// A row does not read as what its space holds.
  case damaged(space: Space, what: String)
  /// The folder was written by a newer version of the program.
  case newerFormat(found: UInt32, supported: UInt32)
  /// The folder holds something else than a server's data.
  case foreign(found: String)
  /// The folder holds no server's data.
  case missing(path: String)
  /// The folder is in use in a way that does not allow this.
  case busy(reason: String)

  /// A stable name of the case.
  package var code: String {
    switch self {
    case .commitFailed: "commit_failed"
    case .failed: "storage_failed"
    case .full: "storage_full"
    case .damaged: "storage_damaged"
    case .newerFormat: "newer_format"
    case .foreign: "not_a_server_folder"
    case .missing: "no_such_folder"
    case .busy: "storage_busy"
    }
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  /// The first key and row of a range, in either order.
  func first(_ space: Space, _ range: RowRange, _ order: RowOrder = .ascending) throws -> (
    key: [UInt8], row: [UInt8]
  )? {
    var found: (key: [UInt8], row: [UInt8])?
    try scan(space, range, order) { key, row in
      found = (key.copied, row.copied)
      return .stop
    }
    return found
  }
}

extension RawSpan {
  /// The bytes, in storage of their own.
  ///
  /// O(n).
  var copied: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
