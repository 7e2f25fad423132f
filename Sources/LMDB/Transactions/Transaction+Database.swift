extension ReadTransaction {
  /// The database of that name, one of those named when the environment was opened.
  ///
  /// For code that is generic over transactions and has no environment at hand.
  ///
  /// - Complexity: O(1).
  public func database(_ name: String) -> Database {
    unsafe context.environment.database(name)
  }
}

extension WriteTransaction {
  /// The database of that name; see the same of a read transaction.
  public func database(_ name: String) -> Database {
    unsafe context.environment.database(name)
  }
}
