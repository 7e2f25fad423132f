internal import LMDB

/// Where everything lies: the databases of a store, under the names of what they hold.
///
/// What is derived from other spaces is said so; it can be made anew from them.
final class Spaces: Sendable {
  /// The format, and whose store it is.
  let format: Database
  /// (type, id) -> what is held of a listed asset, with its latest price; derived: history with the
  /// outbox over it, and `pricedAssets`.
  let assets: Database
  /// (category key, type, id) -> the same record of each listed asset; derived from `assets`.
  let categories: Database
  /// (slot, type, id) -> what happened to an asset within a slot.
  let history: Database
  /// (type, id, slot) of each row of the history; derived.
  let historyByAsset: Database
  /// slot -> digest and counts of a snapshot, or that it is out of date; derived.
  let snapshots: Database
  /// (type, id) -> a row of the asset table.
  let marketAssets: Database
  /// first slot of a block -> its price tables, their assets by number.
  let prices: Database
  /// (type, id) -> the number of a priced asset, and its latest price; derived, but for the number.
  let pricedAssets: Database
  /// number -> (type, id) of a priced asset.
  let pricedNumbers: Database
  /// (collection, id) -> a document.
  let documents: Database
  /// (collection, order, time, id) of each document; derived.
  let documentOrder: Database
  /// (collection, name) -> an index that was declared.
  let indexes: Database
  /// (index, deleted, values, id) of each document; derived.
  let indexed: Database
  /// (collection, id) -> the keys that a document has in `indexed`; derived.
  let indexedDocuments: Database
  /// Edits that are not saved.
  let edit: Database
  /// device sequence -> a transaction that has not come back in the log.
  let outbox: Database
  /// transaction id -> its sequence, of those in the outbox; derived.
  let outboxByID: Database
  /// (type, id, sequence) -> what a pending transaction does to an asset; derived.
  let outboxByAsset: Database
  /// (collection, id, sequence) of each document that a pending transaction changes; derived.
  let outboxByDocument: Database
  /// seq -> an entry that is kept, or its hash alone.
  let log: Database
  /// device sequence -> id and seq of an own transaction in the log.
  let own: Database
  /// seq -> the id of the entry's transaction, of every entry that was read.
  let ids: Database
  /// seq -> why an entry, or a part of it, has no effect, or is at odds with this store's log.
  let remarks: Database
  /// transaction id -> an own transaction that was not accepted, and why.
  let rejected: Database
  /// The store's few single facts.
  let cursor: Database
  /// device -> its last sequence, hash and effective time in the log.
  let devices: Database
  /// seq -> an entry of a log that is read beside the state.
  let staged: Database
  /// How far price tables and the asset table have been read.
  let marketCursor: Database
  /// (type, id) -> a row of an asset table that has not come whole.
  let stagedAssets: Database
  /// Settings of the user interface.
  let settings: Database

  static let formatName = "meta/format"

  static let names = [
    formatName, "domain.portfolio/assets", "domain.portfolio/categories",
    "domain.portfolio/history", "domain.portfolio/history.assets", "domain.portfolio/snapshots",
    "domain.market/assets", "domain.market/prices", "domain.market/prices.assets",
    "domain.market/prices.numbers", "domain.documents", "domain.documents.order",
    "domain.documents.indexes", "domain.documents.indexed", "domain.documents.indexed.keys",
    "app.portfolio/edit", "gate.sync/outbox", "gate.sync/outbox.ids", "gate.sync/outbox.assets",
    "gate.sync/outbox.documents", "gate.sync/log", "gate.sync/own", "gate.sync/ids",
    "gate.sync/remarks",
    "gate.sync/rejected", "gate.sync/cursor", "gate.sync/devices", "gate.sync/staged",
    "gate.market/cursor", "gate.market/staged", "ui.cli/settings",
  ]

  init(_ environment: Environment) {
    format = environment.database(Self.formatName)
    assets = environment.database("domain.portfolio/assets")
    categories = environment.database("domain.portfolio/categories")
    history = environment.database("domain.portfolio/history")
    historyByAsset = environment.database("domain.portfolio/history.assets")
    snapshots = environment.database("domain.portfolio/snapshots")
    marketAssets = environment.database("domain.market/assets")
    prices = environment.database("domain.market/prices")
    pricedAssets = environment.database("domain.market/prices.assets")
    pricedNumbers = environment.database("domain.market/prices.numbers")
    documents = environment.database("domain.documents")
    documentOrder = environment.database("domain.documents.order")
    indexes = environment.database("domain.documents.indexes")
    indexed = environment.database("domain.documents.indexed")
    indexedDocuments = environment.database("domain.documents.indexed.keys")
    edit = environment.database("app.portfolio/edit")
    outbox = environment.database("gate.sync/outbox")
    outboxByID = environment.database("gate.sync/outbox.ids")
    outboxByAsset = environment.database("gate.sync/outbox.assets")
    outboxByDocument = environment.database("gate.sync/outbox.documents")
    log = environment.database("gate.sync/log")
    own = environment.database("gate.sync/own")
    ids = environment.database("gate.sync/ids")
    remarks = environment.database("gate.sync/remarks")
    rejected = environment.database("gate.sync/rejected")
    cursor = environment.database("gate.sync/cursor")
    devices = environment.database("gate.sync/devices")
    staged = environment.database("gate.sync/staged")
    marketCursor = environment.database("gate.market/cursor")
    stagedAssets = environment.database("gate.market/staged")
    settings = environment.database("ui.cli/settings")
  }
}
