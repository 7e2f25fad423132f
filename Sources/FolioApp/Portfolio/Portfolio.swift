public import FolioDomain
public import FolioStore

/// A portfolio as an app uses it: what is held, the edits of it, and the server it is synced with.
///
/// It is a store with the flows of a client around it. Edits are durable when they return, with or
/// without a server, and are sent by the next sync. Every call that is not `async` blocks its thread:
/// for a read about as long as the reading takes, for an edit until it is on disk.
///
///     let portfolio = try Portfolio.openOrCreate(at: folder)
///     try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
///     for held in try portfolio.holdings() { print(held.asset, held.amount.decimalText) }
public final class Portfolio: Sendable {
  /// The store, for everything that is not here.
  public let store: Store
  /// What the portfolio's flows run on.
  public let options: AppOptions

  /// The portfolio of an open store.
  public init(_ store: Store, options: AppOptions = AppOptions()) {
    self.store = store
    self.options = options
  }

  /// Makes a portfolio in an absent or empty folder.
  ///
  /// - Throws: `StoreError`.
  public static func create(at path: String, options: AppOptions = AppOptions()) throws -> Portfolio
  {
    Portfolio(try Client.create(at: path, options: options), options: options)
  }

  /// Opens the portfolio in a folder.
  ///
  /// - Throws: `StoreError`.
  public static func open(at path: String, options: AppOptions = AppOptions()) throws -> Portfolio {
    Portfolio(try Store.open(at: path, options.store), options: options)
  }

  /// Opens the portfolio in a folder, or makes one where the folder is absent or empty.
  ///
  /// Where two processes do so at once, one makes it and both open it.
  /// - Throws: `StoreError`: `folderNotEmpty` where the folder holds something else.
  public static func openOrCreate(
    at path: String, options: AppOptions = AppOptions()
  ) throws -> Portfolio {
    do {
      return try open(at: path, options: options)
    } catch StoreError.notAStore {
      do {
        return try create(at: path, options: options)
      } catch StoreError.folderNotEmpty {
        // Another process has made it since, unless it is something else that is there.
        do {
          return try open(at: path, options: options)
        } catch StoreError.notAStore {
          throw StoreError.folderNotEmpty(path: path)
        }
      }
    }
  }

  /// Gives the store up; what is running ends first.
  public func close() { store.close() }
}

extension Portfolio {
  /// Saves edits as one transaction: merged, each checked on the state as it is now.
  ///
  /// - Throws: `EditError`, `DocumentError` or `RecordError` of the first edit that cannot be made,
  ///   and `StoreError`; nothing is saved then.
  @discardableResult
  public func save(_ edits: [Edit]) throws -> SavedEdits {
    try store.write { try $0.save(edits) }
  }

  /// Adds to what is held of an asset, or sells where the amount is below 0.
  ///
  /// - Parameters:
  ///   - amount: An exact decimal, such as `0.5`.
  ///   - asset: Type and id, such as `crypto:bitcoin`.
  ///   - category: The name of the category that the asset goes into; nil to leave it where it is.
  @discardableResult
  public func add(_ amount: String, of asset: String, to category: String? = nil) throws
    -> SavedEdits
  {
    let category = try category.map { try Category(named: $0) }
    return try save([.add(try AssetKey(asset), try Amount(amount), category: category)])
  }

  /// Makes what is held of an asset a given amount.
  @discardableResult
  public func set(_ asset: String, to amount: String) throws -> SavedEdits {
    try save([.set(try AssetKey(asset), try Amount(amount))])
  }

  /// Puts an asset into a category.
  @discardableResult
  public func move(_ asset: String, to category: String) throws -> SavedEdits {
    try save([.move(try AssetKey(asset), to: try Category(named: category))])
  }

  /// Brings an asset's amount to 0; one that was in no snapshot is gone then.
  @discardableResult
  public func delete(_ asset: String) throws -> SavedEdits {
    try save([.delete(try AssetKey(asset))])
  }

  /// Moves all assets of a category into another, which takes its place.
  @discardableResult
  public func renameCategory(_ old: String, to new: String) throws -> SavedEdits {
    try save([.renameCategory(try Category(named: old).key, to: try Category(named: new))])
  }
}
