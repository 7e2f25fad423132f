public import FolioDomain
public import FolioStore

// Domain observers give domain data, application observers the state of flows; a user interface
// combines them. Each is an asynchronous sequence: the present value at first, then the newest after
// each commit that changed it, whichever process made it.
extension Portfolio {
  /// Observes what a query comes to, by the names of what it reads.
  ///
  /// See `Store.observe(_:_:)`.
  public func observe<Value: Equatable & Sendable>(
    _ names: [StoredName],
    _ query: @escaping @Sendable (borrowing StoreReadTransaction) throws -> Value
  ) -> Observation<Value> {
    store.observe(names, query)
  }

  /// Observes what is held, with the latest prices.
  ///
  /// See `holdings(_:includesHidden:)`.
  public func observeHoldings(
    _ filter: HoldingFilter = .all, includesHidden: Bool = false
  ) -> Observation<[PricedHolding]> {
    observe([.assets, .categories, .prices, .assetTable, .marketCursor]) {
      try $0.holdings(filter, includesHidden: includesHidden)
    }
  }

  /// Observes the categories, and what they come to at the latest prices.
  public func observeCategories() -> Observation<[CategorySummary]> {
    observe([.assets, .categories, .prices, .assetTable, .marketCursor]) { try $0.categories() }
  }

  /// Observes a page of a collection's documents.
  public func observeDocuments(_ query: DocumentQuery) -> Observation<[Document]> {
    observe([.documents(in: query.collection)]) { try $0.documents(query) }
  }

  /// Observes a page of a typed collection's values, by one of its indexes.
  public func observeValues<Value: Equatable>(
    _ query: IndexedQuery, in collection: TypedCollection<Value>
  ) -> Observation<[TypedDocument<Value>]> {
    observe([.documents(in: collection.name)]) { try $0.list(query, in: collection) }
  }

  /// Observes which snapshots of closed slots there are: the first and the last.
  public func observeSnapshots() -> Observation<ClosedRange<Slot>?> {
    observe([.snapshots, .marketCursor]) { try $0.snapshotSlots() }
  }

  /// Observes how much waits to be sent.
  public func observeOutbox() -> Observation<OutboxStatus> {
    observe([.outbox]) { try $0.status().outbox }
  }

  /// Observes the flow that is under way; nil where none is.
  public func observeFlow() -> Observation<Flow?> {
    observe([.flow]) { try $0.flow() }
  }

  /// Observes what a transfer asks next, as its answers and what is held change; nil where none is
  /// under way.
  public func observeTransferScreen() -> Observation<TransferScreen?> {
    observe([.flow, .assets, .categories, .prices, .assetTable, .marketCursor]) { state in
      guard case .transfer(let flow)? = try state.flow() else { return nil }
      return try flow.screen(on: state)
    }
  }
}
