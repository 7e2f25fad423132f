import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Environment {
  /// Runs `body` on one state of the environment.
  ///
  /// Never waits for a writer. The state is that of the last commit before, also inside a write of
  /// the same thread. What `body` returns leaves; views do not.
  ///
  /// - Parameters:
  ///   - attachment: An object that the transaction carries, for functions that are handed nothing
  ///     else.
  ///   - body: What is run.
  /// - Throws: ``StorageError/readersFull(max:)``, ``StorageError/closed``,
  ///   ``StorageError/reopenNeeded``, and what `body` throws.
  public func read<R>(
    attaching attachment: AnyObject? = nil, _ body: (borrowing ReadTransaction) throws -> R
  ) throws -> R {
    let scope = try beginRead(attachment)
    return try body(ReadTransaction(scope))
  }

  /// Runs `body` in a write transaction and commits it: once this returns, the change is on disk.
  ///
  /// Waits for the writer before, in this process or another. Where `body` throws, nothing of it
  /// happened and its error comes out. `body` may be run again from the start, so it changes
  /// nothing but the transaction.
  ///
  /// - Parameters:
  ///   - attachment: An object that the transaction carries, for functions that are handed nothing
  ///     else.
  ///   - body: What is run.
  /// - Throws: ``StorageError/nestedWrite`` inside a write of the same thread,
  ///   ``StorageError/readOnly``, ``StorageError/commitFailed(detail:)`` where the outcome is not
  ///   known, after which the environment refuses all use; and what `body` throws.
  public func write<R>(
    attaching attachment: AnyObject? = nil, _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    // The engine keeps writers apart by itself.
    guard let memory, !isWriting else { return try perform(attachment, body) }
    return try memory.disk.whileWriting { try perform(attachment, body) }
  }

  private func perform<R>(
    _ attachment: AnyObject?, _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    let scope = try beginWrite(attachment)
    var isOpen = true
    defer { if isOpen { abortWrite(scope) } }
    var transaction = WriteTransaction(scope, room: roomByFileSize())
    let result = try body(&transaction)
    if let failure = transaction.failure { throw failure }
    if transaction.isCancelled { return result }
    isOpen = false
    try commitWrite(scope)
    return result
  }
}

extension Environment {
  /// A number of this thread that no other running thread has.
  private static var threadIdentity: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  /// Whether this thread is inside a write.
  ///
  /// Only this thread itself writes its own number there, so a stale look at it cannot mislead.
  var isWriting: Bool { writer.load(ordering: .relaxed) == Self.threadIdentity }

  private func beginRead(_ attachment: AnyObject?) throws(StorageError) -> ReadScope {
    try enter()
    do throws(StorageError) {
      if let faults { try faults.willPerform(.read) }
      if let memory {
        return ReadScope(
          try memory.beginRead(readerCountMax: limits.readerCountMax), self, attachment)
      }
      if let renewed = unsafe idleReaders.renew() {
        return unsafe ReadScope(renewed, self, attachment)
      }
      return unsafe ReadScope(try begin(UInt32(MDB_RDONLY)), self, attachment)
    } catch {
      leave()
      throw error
    }
  }

  func endRead(_ transaction: OpaquePointer?) {
    if let memory { memory.endRead() }
    if let transaction = unsafe transaction { unsafe idleReaders.end(transaction) }
    leave()
  }

  private func beginWrite(_ attachment: AnyObject?) throws(StorageError) -> WriteScope {
    if options.readOnly { throw .readOnly }
    if isWriting { throw .nestedWrite }
    try enter()
    do throws(StorageError) {
      if let faults { try faults.willPerform(.begin) }
      if let memory {
        writer.store(Self.threadIdentity, ordering: .relaxed)
        return WriteScope(memory.beginWrite(), self, attachment)
      }
      let transaction = unsafe try begin(0)
      writer.store(Self.threadIdentity, ordering: .relaxed)
      return unsafe WriteScope(transaction, self, attachment)
    } catch {
      leave()
      throw error
    }
  }

  private func abortWrite(_ scope: borrowing WriteScope) {
    // Given back before the engine lets the next writer in, who puts his own number there.
    writer.store(0, ordering: .relaxed)
    if let handle = unsafe scope.handle { unsafe mdb_txn_abort(handle) }
    leave()
  }

  private func commitWrite(_ scope: borrowing WriteScope) throws(StorageError) {
    do throws(StorageError) {
      try faults?.willPerform(.commit)
    } catch {
      abortWrite(scope)
      throw outcomeUnknown(error.description)
    }
    writer.store(0, ordering: .relaxed)
    defer { leave() }
    try commit(scope)
    do throws(StorageError) {
      try faults?.willPerform(.acknowledge)
    } catch {
      throw outcomeUnknown(error.description)
    }
  }

  private func commit(_ scope: borrowing WriteScope) throws(StorageError) {
    if let memory, let transaction = scope.memory { return memory.commit(transaction) }
    let code = unsafe mdb_txn_commit(scope.handle)
    // The engine looks for pages for its own list of free ones before it writes anything.
    if code == MDB_MAP_FULL { throw .mapFull(limit: limits.mapByteCount) }
    guard code == 0 else { throw outcomeUnknown(StorageError.engineText(code)) }
  }

  private func outcomeUnknown(_ detail: String) -> StorageError {
    needsReopen.store(true, ordering: .releasing)
    return .commitFailed(detail: detail)
  }

  private func begin(_ flags: UInt32) throws(StorageError) -> OpaquePointer {
    var transaction: OpaquePointer?
    var code = unsafe mdb_txn_begin(handle, nil, flags, &transaction)
    if code == MDB_READERS_FULL {
      idleReaders.clear()
      // Places of processes that were killed are freed only when somebody looks for them.
      var freed: Int32 = 0
      _ = unsafe mdb_reader_check(handle, &freed)
      code = unsafe mdb_txn_begin(handle, nil, flags, &transaction)
    }
    guard code == 0, let transaction = unsafe transaction else {
      throw StorageError(engine: code, "begin a transaction", limits)
    }
    return unsafe transaction
  }
}
