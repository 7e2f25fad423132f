internal import LMDB
internal import Synchronization

/// What a query comes to on a store: at first, and then whenever a commit has changed it.
///
/// The first element is the present value; each one after is the newest there is when it is asked
/// for, and differs from the one before. Whoever is slow skips values in between and never the last
/// one. Commits of this process and of others count. It ends when its task is cancelled or the store
/// is closed, and may be given up at any moment. Each iterator is a subscription of its own.
///
/// The query runs on the thread that asks for the next value, in a read transaction, and only after a
/// commit that has changed something under the names.
///
///     for try await held in store.observe([.assets, .prices], { try $0.holdings() }) {
///       show(held)
///     }
public struct Observation<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  let store: Store
  let names: [StoredName]
  let query: @Sendable (borrowing StoreReadTransaction) throws -> Value

  /// A subscription.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: Subscription(store, names), query: query)
  }

  /// A subscription that is under way.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription
    let query: @Sendable (borrowing StoreReadTransaction) throws -> Value
    private var last: Value?

    init(
      subscription: Subscription,
      query: @escaping @Sendable (borrowing StoreReadTransaction) throws -> Value
    ) {
      self.subscription = subscription
      self.query = query
    }

    /// The newest value, once it is another than the one before; nil once the task is cancelled or
    /// the store is closed.
    ///
    /// - Throws: What the query throws, and ``StoreError/storage(_:)``; the next call looks again.
    public mutating func next() async throws -> Value? {
      let query = query
      while let found = try await subscription.next({ state, _ in try query(state) }) {
        if found == last { continue }
        last = found
        return found
      }
      return nil
    }
  }
}

/// The names that commits have changed.
///
/// The first element tells all of the names with the transactions that changed them last; each one
/// after those that have changed since the one before. Otherwise as ``Observation``.
public struct ObservedChanges: AsyncSequence, Sendable {
  let store: Store
  let names: [StoredName]

  /// A subscription.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: Subscription(store, names))
  }

  /// A subscription that is under way.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription

    /// What has changed; nil once the task is cancelled or the store is closed.
    public mutating func next() async throws -> [StoreChange]? {
      try await subscription.next { _, changes in changes }
    }
  }
}

/// That something stored was changed.
public struct StoreChange: Hashable, Sendable {
  /// What.
  public var name: StoredName
  /// The number of the store's transaction that changed it last; 0 where none has.
  public var transaction: UInt64
}

extension Store {
  /// Observes what a query comes to, by the names of what it reads.
  ///
  /// - Parameters:
  ///   - names: What the query reads; a change of anything else is not looked at.
  ///   - query: Reads a value; it runs again after each commit that changed one of the names.
  public func observe<Value: Equatable & Sendable>(
    _ names: [StoredName],
    _ query: @escaping @Sendable (borrowing StoreReadTransaction) throws -> Value
  ) -> Observation<Value> {
    Observation(store: self, names: names, query: query)
  }

  /// Observes which of some names commits change.
  public func changes(of names: [StoredName] = StoredName.all) -> ObservedChanges {
    ObservedChanges(store: self, names: names)
  }
}

/// One subscriber's place among the commits of a store.
final class Subscription: Sendable {
  private struct State {
    /// How the hub knows it, once it looked for the first time.
    var id: UInt64?
    /// The versions of the names as they were seen last.
    var seen: [UInt64]?
  }

  private let store: Store
  private let names: [StoredName]
  private let signal = ChangeSignal()
  private let state = Mutex(State())

  init(_ store: Store, _ names: [StoredName]) {
    self.store = store
    self.names = names
  }

  deinit {
    if let id = state.withLock({ $0.id }) { store.context.hub.remove(id) }
  }

  /// What `body` makes of the state once one of the names has changed since the last time, and of
  /// the present one at first; nil where there is no next.
  func next<R>(_ body: (borrowing StoreReadTransaction, [StoreChange]) throws -> R) async throws
    -> R?
  {
    do {
      try register()
      while !Task.isCancelled {
        // What is committed from here on raises it again; what was before is seen below.
        signal.lower()
        if let found = try look(body) { return found }
        await signal.wait()
      }
      return nil
    } catch StoreError.storage(.closed) {
      return nil
    }
  }

  private func register() throws {
    if state.withLock({ $0.id }) != nil { return }
    let id = try store.naming { try store.context.hub.add(names, signal) }
    state.withLock { $0.id = id }
  }

  private func look<R>(_ body: (borrowing StoreReadTransaction, [StoreChange]) throws -> R) throws
    -> R?
  {
    let seen = state.withLock { $0.seen }
    let found: R? = try store.read { transaction in
      let versions = try transaction.versions(of: names)
      if versions == seen { return nil }
      var changes: [StoreChange] = []
      for (place, name) in names.enumerated() where seen?[place] != versions[place] {
        changes.append(StoreChange(name: name, transaction: versions[place]))
      }
      let found = try body(transaction, changes)
      state.withLock { $0.seen = versions }
      return found
    }
    return found
  }
}
