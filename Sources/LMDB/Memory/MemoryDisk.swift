import Synchronization

/// What an environment in memory keeps: the state of the last commit, as a folder's files have it.
///
/// It outlives its environments. To take a process away in the midst of anything, go on with a
/// ``copied()`` disk: what was committed is on it, and nothing else. The same is a backup, or a
/// device that somebody copied.
///
///     let disk = MemoryDisk()
///     let environment = try Environment.inMemory(on: disk, Environment.Options(databases: ["a"]))
public final class MemoryDisk: Sendable {
  /// What it is called in errors.
  public let name: String

  static let pageByteCount = 4096

  struct State: Sendable {
    var names: [String] = []
    var tables: [MemoryTable] = []
    var transaction: UInt64 = 0
    var pageCountMax = 2
    var isOpen = false
    var readerCount = 0
    var copies: [String: MemoryDisk] = [:]
  }

  let state: Mutex<State>
  /// Held from the begin of a write to its end.
  private let turn = Mutex<Void>(())

  /// An empty disk.
  public init(name: String = "memory") {
    self.name = name
    state = Mutex(State())
  }

  private init(name: String, _ state: State) {
    self.name = name
    self.state = Mutex(state)
  }

  /// A disk of its own with the state of the last commit, which nobody has open.
  ///
  /// - Complexity: O(tables); records are shared until they change.
  public func copied() -> MemoryDisk {
    var copy = state.withLock { $0 }
    copy.isOpen = false
    copy.readerCount = 0
    return MemoryDisk(name: name, copy)
  }

  /// The copy that an environment's `copy(to:)` made under that path; nil where there is none.
  public func copy(at path: String) -> MemoryDisk? {
    state.withLock { $0.copies[path] }
  }

  /// The tables in the order of their names, and how many records each has.
  public var tables: [Verification.Table] {
    let (names, tables) = state.withLock { ($0.names, $0.tables) }
    return zip(names, tables).map { Verification.Table(name: $0, recordCount: $1.records.count) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Changes a byte of a record as damage would, which its checksum tells.
  package func damage(_ database: String, _ key: [UInt8], at offset: Int) {
    state.withLock { state in
      guard let index = state.names.firstIndex(of: database),
        let place = unsafe key.withUnsafeBytes({ unsafe state.tables[index].index(of: $0) })
      else { preconditionFailure("there is no such record to damage") }
      let record = state.tables[index].records[place]
      state.tables[index].put(MemoryRecord(damaging: record, at: offset))
    }
  }

  /// Runs `body` when no other write is under way.
  func whileWriting<R>(_ body: () throws -> R) throws -> R {
    var result: Result<R, any Error>?
    turn.withLock { _ in result = Result { try body() } }
    guard let result else { preconditionFailure("a lock ran nothing") }
    return try result.get()
  }
}
