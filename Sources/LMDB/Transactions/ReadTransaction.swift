/// One state of an environment, seen as it was when the transaction began.
///
/// It lives inside the closure it is handed to. Views taken from it can be used there and cannot
/// leave; copies can.
@safe public struct ReadTransaction: ~Copyable, ~Escapable {
  let context: TransactionContext

  @_lifetime(borrow scope)
  init(_ scope: borrowing ReadScope) {
    context = unsafe TransactionContext(
      scope.handle, scope.environment, scope.memory, scope.attachment)
  }

  @_lifetime(borrow writer)
  init(of writer: borrowing WriteTransaction) {
    context = writer.context
  }

  /// The number of the transaction that made this state, one more for each that committed; of a write
  /// transaction its own.
  public var transaction: UInt64 { context.transaction }

  /// The object that the transaction was begun with, if any.
  public var attachment: AnyObject? { unsafe context.attachment }

  /// A view of the value of a key, or nil where the key is not there.
  ///
  /// The checksum of the record is verified. The view is not aligned: load unaligned.
  ///
  /// - Complexity: O(log *n*), without allocation.
  /// - Throws: ``StorageError/corrupt(database:)`` where the checksum does not fit, an error of the
  ///   key's length.
  @_lifetime(copy self)
  public func get(_ database: Database, _ key: RawSpan) throws(StorageError) -> RawSpan? {
    guard let found = try unsafe context.find(database, key) else { return nil }
    let span = unsafe RawSpan(_unsafeBytes: found)
    return unsafe _overrideLifetime(span, copying: self)
  }

  /// A view of the value of a key; see the same of a span.
  @_lifetime(copy self)
  public func get(_ database: Database, _ key: [UInt8]) throws(StorageError) -> RawSpan? {
    guard let found = try unsafe context.find(database, key.raw) else { return nil }
    let span = unsafe RawSpan(_unsafeBytes: found)
    return unsafe _overrideLifetime(span, copying: self)
  }

  /// A view of the value of a key; see the same of a span.
  @_lifetime(copy self)
  public func get(_ database: Database, _ key: KeyBuilder) throws(StorageError) -> RawSpan? {
    guard let found = try unsafe context.find(database, key.bytes.raw) else { return nil }
    let span = unsafe RawSpan(_unsafeBytes: found)
    return unsafe _overrideLifetime(span, copying: self)
  }

  /// A copy of the value of a key, or nil where the key is not there.
  ///
  /// - Complexity: O(log *n* + *m*) for a value of *m* bytes, one allocation.
  /// - Throws: as ``get(_:_:)`` does.
  public func bytes(_ database: Database, _ key: [UInt8]) throws(StorageError) -> [UInt8]? {
    guard let found = try unsafe context.find(database, key.raw) else { return nil }
    return unsafe [UInt8](found)
  }

  /// A copy of the value of a key; see the same of bytes.
  public func bytes(_ database: Database, _ key: KeyBuilder) throws(StorageError) -> [UInt8]? {
    try bytes(database, key.bytes)
  }

  /// Whether the key is there; its record is verified.
  public func contains(_ database: Database, _ key: [UInt8]) throws(StorageError) -> Bool {
    try unsafe context.find(database, key.raw) != nil
  }

  /// Whether the key is there; its record is verified.
  public func contains(_ database: Database, _ key: KeyBuilder) throws(StorageError) -> Bool {
    try contains(database, key.bytes)
  }
}

/// Ends the engine's read transaction when it goes out of scope.
@safe struct ReadScope: ~Copyable {
  let handle: OpaquePointer?
  let environment: Environment
  let memory: MemoryTransaction?
  let attachment: AnyObject?

  init(_ handle: OpaquePointer, _ environment: Environment, _ attachment: AnyObject?) {
    unsafe self.handle = handle
    self.environment = environment
    memory = nil
    self.attachment = attachment
  }

  init(_ memory: MemoryTransaction, _ environment: Environment, _ attachment: AnyObject?) {
    unsafe handle = nil
    self.environment = environment
    self.memory = memory
    self.attachment = attachment
  }

  deinit {
    unsafe environment.endRead(handle)
  }
}
