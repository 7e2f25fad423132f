import Synchronization

/// A moment at which ``MemoryServerStorage`` asks whether it is to fail.
package enum StorageMoment: Hashable, Sendable {
  /// Before a row is read or a scan begins.
  case read
  /// Before a row is stored or removed.
  case put
  /// Before a transaction is committed.
  case commit
}

/// How ``MemoryServerStorage`` is to fail.
package enum StorageFault: Hashable, Sendable {
  /// Nothing of the transaction is kept.
  case lost
  /// At a commit: all of it is kept, yet it is reported as failed.
  case keptUnacknowledged
}

/// The server's storage in memory, for simulations: the same rules, no disk, faults on demand.
package final class MemoryServerStorage: ServerStorage {
  /// Decides at each moment whether to fail, and how.
  package typealias Faults = @Sendable (StorageMoment) -> StorageFault?

  private struct State: Sendable {
    var spaces = [SortedRows](repeating: SortedRows(), count: Space.allCases.count)
  }

  private let state: Mutex<State>
  private let faults: Mutex<Faults?>

  /// An empty storage.
  package init(faults: Faults? = nil) {
    state = Mutex(State())
    self.faults = Mutex(faults)
  }

  private init(copying state: State) {
    self.state = Mutex(state)
    faults = Mutex(nil)
  }

  /// From now on `faults` decides what fails; with nil nothing does.
  package func setFaults(_ faults: Faults?) {
    self.faults.withLock { $0 = faults }
  }

  /// A storage of its own in the present state, as a backup of a server would restore it.
  package func copied() -> MemoryServerStorage {
    MemoryServerStorage(copying: state.withLock { $0 })
  }

  package func read<Query: ServerQuery>(_ query: Query) throws -> Query.Answer {
    let faults = self.faults.withLock { $0 }
    return try state.withLock { state in
      try query.answer(MemoryTransaction(spaces: state.spaces, faults: faults))
    }
  }

  package func write<Change: ServerChange>(_ change: Change) throws -> Change.Answer {
    let faults = self.faults.withLock { $0 }
    return try state.withLock { state in
      // The rows are moved out and back, so that they change in place; an undo list takes a
      // failed transaction back.
      var transaction = MemoryTransaction(spaces: state.spaces, faults: faults)
      state.spaces = []
      defer { state.spaces = transaction.spaces }
      let answer: Change.Answer
      do {
        answer = try change.apply(&transaction)
      } catch {
        transaction.undo()
        throw error
      }
      switch faults?(.commit) {
      case nil: return answer
      case .lost:
        transaction.undo()
        throw ServerStorageError.commitFailed(reason: "injected: lost")
      case .keptUnacknowledged:
        throw ServerStorageError.commitFailed(reason: "injected: kept")
      }
    }
  }
}

/// One transaction of the storage in memory.
final class MemoryTransaction: ServerWriting {
  fileprivate(set) var spaces: [SortedRows]
  private let faults: MemoryServerStorage.Faults?
  private var undoes: [(space: Space, key: [UInt8], row: [UInt8]?)] = []

  init(spaces: [SortedRows], faults: MemoryServerStorage.Faults?) {
    self.spaces = spaces
    self.faults = faults
  }

  private func check(_ moment: StorageMoment) throws {
    if faults?(moment) != nil { throw ServerStorageError.failed(reason: "injected") }
  }

  func row(_ space: Space, _ key: [UInt8]) throws -> [UInt8]? {
    try check(.read)
    return spaces[space.rawValue][key]
  }

  func scan(
    _ space: Space, _ range: RowRange, _ order: RowOrder,
    _ body: (_ key: RawSpan, _ row: RawSpan) throws -> RowStep
  ) throws {
    try check(.read)
    let rows = spaces[space.rawValue]
    let indices = rows.indices(in: range)
    for step in 0..<indices.count {
      let index =
        order == .ascending ? indices.lowerBound + step : indices.upperBound - 1 - step
      let key = rows.keys[index]
      let row = rows.rows[index]
      if try body(key.span.bytes, row.span.bytes) == .stop { return }
    }
  }

  func put(_ space: Space, _ key: [UInt8], _ row: [UInt8]) throws {
    try check(.put)
    undoes.append((space, key, spaces[space.rawValue].replace(key, with: row)))
  }

  func delete(_ space: Space, _ key: [UInt8]) throws {
    try check(.put)
    undoes.append((space, key, spaces[space.rawValue].replace(key, with: nil)))
  }

  func undo() {
    for step in undoes.reversed() {
      _ = spaces[step.space.rawValue].replace(step.key, with: step.row)
    }
    undoes = []
  }
}
