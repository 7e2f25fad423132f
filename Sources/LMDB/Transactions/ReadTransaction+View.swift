extension ReadTransaction {
  /// The same state, as a value of its own for a wrapper to hold; it lives no longer than this one.
  public var reading: ReadTransaction {
    @_lifetime(borrow self)
    get { ReadTransaction(viewing: self) }
  }

  @_lifetime(borrow reader)
  private init(viewing reader: borrowing ReadTransaction) {
    context = reader.context
  }
}
