public import FolioDomain
public import FolioStore

extension Portfolio {
  /// Runs `body` on one state of the store; several answers from one `body` belong together.
  public func read<R>(_ body: (borrowing StoreReadTransaction) throws -> R) throws -> R {
    try store.read(body)
  }

  /// Runs `body` in a write transaction: once this returns, all of it is on disk.
  ///
  /// Where `body` throws, nothing happened. It may be run again from the start. See `Store.write(_:)`.
  @discardableResult
  public func write<R>(_ body: (inout StoreWriteTransaction) throws -> R) throws -> R {
    try store.write(body)
  }

  /// Makes a collection's indexes where they are missing, and brings values of earlier versions to the
  /// present one.
  ///
  /// See `Store.prepare(_:)`.
  @discardableResult
  public func prepare<Value>(_ collection: TypedCollection<Value>) throws -> Int {
    try store.prepare(collection)
  }

  /// What is held, in byte order of type and id, with the latest prices.
  ///
  /// - Parameters:
  ///   - filter: Which assets are wanted.
  ///   - includesHidden: Whether assets whose amount is 0 are wanted too.
  public func holdings(_ filter: HoldingFilter = .all, includesHidden: Bool = false) throws
    -> [PricedHolding]
  {
    try store.read { try $0.holdings(filter, includesHidden: includesHidden) }
  }

  /// The categories, in byte order of their keys.
  public func categories() throws -> [CategorySummary] {
    try store.read { try $0.categories() }
  }

  /// The assets that a symbol, a name or an id may mean, all of them.
  public func searchAssets(_ text: String, type: AssetType? = nil) throws -> [AssetInfo] {
    try store.read { try $0.searchAssets(text, type: type) }
  }

  /// A page of a collection's documents.
  public func documents(_ query: DocumentQuery) throws -> [Document] {
    try store.read { try $0.documents(query) }
  }

  /// The snapshot of a closed slot.
  public func snapshot(_ slot: Slot) throws -> Snapshot {
    try store.read { try $0.snapshot(slot) }
  }

  /// The present state with the latest prices, what is pending included.
  public func provisionalSnapshot() throws -> Snapshot {
    try store.read { try $0.provisionalSnapshot() }
  }

  /// The report over a range of closed slots, both ends included.
  ///
  /// - Parameters:
  ///   - from: The first slot; nil is the first snapshot's.
  ///   - to: The last slot; nil is the latest closed one.
  ///   - options: The currency, and which categories count.
  /// - Throws: `ReportError`, `StoreError`.
  public func report(
    from: Slot? = nil, to: Slot? = nil, options: ReportOptions = ReportOptions()
  ) throws -> Report {
    try store.read { try $0.report(from: from, to: to, options: options) }
  }

  /// What the store says of itself.
  public func status() throws -> StoreStatus {
    try store.read { try $0.status() }
  }

  /// Checks every rule that the store must obey, and names each problem.
  public func verify() throws -> IntegrityReport { try store.verify() }

  /// Makes what is not sound anew, from what is; says what is lost, and what the next sync brings back.
  ///
  /// See `Store.repair()`.
  public func repair() throws -> RepairReport { try store.repair() }

  /// Writes a copy of the store into a file that must not be there.
  public func backUp(to path: String) throws { try store.backUp(to: path) }
}
