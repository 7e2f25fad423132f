public import FolioDomain
internal import LMDB

/// A client's store: what a person holds, what they have saved and not yet sent, and all that was
/// read from their server.
///
/// A read sees one state and never waits. A write is one storage transaction: when it returns, all of
/// it is on disk, and where it throws, nothing of it happened. Several processes may use a store at
/// the same time; within a process it is opened once.
///
///     let store = try Store.create(at: folder, options)
///     let saved = try store.write { try $0.save([.add(bitcoin, amount, category: nil)]) }
///     let held = try store.read { try $0.holdings() }
public final class Store: Sendable {
  /// The folder of the store, or the name of the disk in memory that it is on.
  public let path: String

  let environment: Environment
  let context: StoreContext

  init(path: String, environment: Environment, context: StoreContext) {
    self.path = path
    self.environment = environment
    self.context = context
  }

  /// This opening of the store: random, new each time.
  public var instance: InstanceID { context.instance }

  /// Runs `body` on one state of the store, which is that of the last commit before.
  ///
  /// Never waits for a writer. The transaction lives as long as the call; what `body` returns may
  /// leave. To end long-running work early, throw.
  ///
  /// - Throws: ``StoreError/storage(_:)`` where the storage fails, and what `body` throws.
  public func read<R>(_ body: (borrowing StoreReadTransaction) throws -> R) throws -> R {
    try naming {
      try environment.read { base in
        let transaction = StoreReadTransaction(base.reading, context, cache: ReadCache())
        return try body(transaction)
      }
    }
  }

  /// Runs `body` in a write transaction and commits it: once this returns, all of it is on disk.
  ///
  /// Waits for the writer before. Where `body` throws, nothing happened and its error comes out.
  /// `body` may be run again from the start, so it should change nothing but the transaction. A write
  /// inside a write of the same thread is refused.
  ///
  /// - Throws: ``StoreError/storage(_:)`` where the storage fails, and what `body` throws.
  @discardableResult
  public func write<R>(_ body: (inout StoreWriteTransaction) throws -> R) throws -> R {
    let (result, session, changes) = try naming {
      try environment.write { base -> (R, SessionChanges, CommittedChanges?) in
        var transaction = StoreWriteTransaction(base, context)
        let outcome: Result<(R, CommittedChanges?), any Error>
        do {
          let result = try body(&transaction)
          outcome = .success((result, try transaction.noteChanges()))
        } catch {
          outcome = .failure(error)
        }
        let session = transaction.session
        base = transaction.end()
        let (result, changes) = try outcome.get()
        return (result, session, changes)
      }
    }
    context.merge(session)
    if let changes { context.hub.committed(changes) }
    return result
  }

  /// Gives the store up; transactions that are running end first, new ones are refused, and what
  /// observes it ends.
  public func close() {
    environment.close()
    context.hub.close()
  }

  /// Calls `body`, and gives an error of the storage the store's name for it.
  func naming<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as StorageError {
      throw StoreError.storage(error)
    }
  }
}
