internal import FolioDomain
internal import FolioSystem
internal import LMDB
internal import Synchronization

/// Tells the subscribers of a store that what they look at may have changed.
///
/// A commit of this process wakes those it concerns; it costs the others a look at one word. Commits
/// of other processes are noticed by the data file being written to, and wake all: each finds in the
/// store itself whether anything of its own has changed.
final class ChangeHub: Sendable {
  private struct Listener {
    var names: StoredNames
    /// The collections it is about; nil for all.
    var collections: Set<CollectionName>?
    var signal: ChangeSignal

    func isConcerned(by changes: CommittedChanges) -> Bool {
      guard names.meets(changes.names) else { return false }
      guard let collections, changes.names.contains(.documents) else { return true }
      guard let changed = changes.collections, !names.meets(changes.names.removingDocuments) else {
        return true
      }
      return !collections.isDisjoint(with: changed)
    }
  }

  private struct State {
    var listeners: [UInt64: Listener] = [:]
    var nextID: UInt64 = 0
    /// The last transaction that all who have to were told of.
    var lastSeen: UInt64 = 0
    var watch: FileWatch?
    /// Whether the first subscriber has come.
    var isFollowing = false
    var isClosed = false
  }

  private let environment: Environment
  private let dataFile: String?
  private let state = Mutex(State())
  private let listenerCount = Atomic<Int>(0)

  /// - Parameter dataFile: What other processes write to; nil where none can.
  init(_ environment: Environment, dataFile: String?) {
    self.environment = environment
    self.dataFile = dataFile
  }

  deinit { close() }

  /// Has a signal raised by every commit that concerns some names, from now on.
  ///
  /// - Throws: Where the data file cannot be watched.
  func add(_ names: [StoredName], _ signal: ChangeSignal) throws -> UInt64 {
    let collections = names.filter { $0.place == StoredName.documents.place }.map(\.collection)
    let only = collections.contains(nil) ? nil : Set(collections.compactMap { $0 })
    // Counted before the first state is read, so that no commit after that finds nobody.
    listenerCount.add(1, ordering: .sequentiallyConsistent)
    do {
      return try state.withLock { state in
        if !state.isFollowing, !state.isClosed {
          state.watch = try dataFile.map { try begin($0) }
          state.isFollowing = true
          state.lastSeen = try environment.read { $0.transaction }
        }
        state.nextID += 1
        state.listeners[state.nextID] = Listener(
          names: StoredNames(names), collections: only, signal: signal)
        return state.nextID
      }
    } catch {
      listenerCount.subtract(1, ordering: .sequentiallyConsistent)
      throw error
    }
  }

  func remove(_ id: UInt64) {
    let removed = state.withLock { $0.listeners.removeValue(forKey: id) }
    if removed != nil { listenerCount.subtract(1, ordering: .sequentiallyConsistent) }
  }

  /// Wakes those whom a commit of this process concerns.
  ///
  /// - Complexity: O(1) without subscribers, else O(subscribers), a word each.
  func committed(_ changes: CommittedChanges) {
    guard listenerCount.load(ordering: .sequentiallyConsistent) > 0 else { return }
    let signals = state.withLock { state -> [ChangeSignal] in
      // Another process has committed in between where a number is left out.
      let isNext = changes.transaction <= state.lastSeen + 1
      state.lastSeen = max(state.lastSeen, changes.transaction)
      var signals: [ChangeSignal] = []
      for listener in state.listeners.values where !isNext || listener.isConcerned(by: changes) {
        signals.append(listener.signal)
      }
      return signals
    }
    for signal in signals { signal.raise() }
  }

  /// Wakes everybody where another process has committed.
  ///
  /// - Returns: Whether readers see all that the file has. A commit is in the file a moment before
  ///   the engine tells readers of it, and nothing is written to the file when it does.
  private func look() throws -> Bool {
    let visible = try environment.read { $0.transaction }
    let signals = state.withLock { state -> [ChangeSignal] in
      guard visible > state.lastSeen else { return [] }
      state.lastSeen = visible
      return state.listeners.values.map(\.signal)
    }
    for signal in signals { signal.raise() }
    return try environment.lastTransaction() <= visible
  }

  /// Ends what waits: who looks from now on finds the store closed.
  func close() {
    let signals = state.withLock { state -> [ChangeSignal] in
      state.isClosed = true
      state.watch?.end()
      state.watch = nil
      return state.listeners.values.map(\.signal)
    }
    for signal in signals { signal.raise() }
  }

  /// Watches the data file on a thread of its own, which sleeps while nothing is written to it.
  private func begin(_ file: String) throws -> FileWatch {
    let watch = try FileWatch(file)
    SystemThread.detach { [weak self] in
      // What was being committed as the watch began has to be seen, too.
      repeat {
        guard let isOpen = self?.follow(watch), isOpen else { return }
      } while watch.wait()
    }
    return watch
  }

  /// Looks until readers see what is in the file; false once that has ended.
  private func follow(_ watch: FileWatch) -> Bool {
    do {
      // A writer that was killed in that moment is waited for so long and no longer; the next one
      // tells readers what it left.
      for _ in 0..<Self.lookCountMax {
        let isSettled = try look()
        // A commit is written in several steps, and many may follow each other.
        if !watch.pause(milliseconds: Self.pauseMilliseconds) { return false }
        if isSettled { return true }
      }
      return true
    } catch {
      // The store is closed, and says so to everybody who looks.
      return false
    }
  }

  private static var pauseMilliseconds: Int { 5 }
  private static var lookCountMax: Int { 200 }
}

extension StoredNames {
  fileprivate var removingDocuments: StoredNames {
    subtracting(StoredNames(CollectionOfOne(StoredName.documents)))
  }
}
