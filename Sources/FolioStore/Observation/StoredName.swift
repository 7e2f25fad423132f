public import FolioDomain
internal import LMDB

/// The name of something that is stored, `layer.context/entity`: what a subscriber subscribes to.
public struct StoredName: Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let text: String
  /// Which bit of `StoredNames` stands for it.
  let place: Int
  /// The collection, where it is the documents of one.
  let collection: CollectionName?

  private init(_ text: String, _ place: Int, _ collection: CollectionName? = nil) {
    self.text = text
    self.place = place
    self.collection = collection
  }

  /// The thing of that name.
  ///
  /// - Throws: ``StoreError/unknownName(_:)``.
  public init(_ text: String) throws {
    if let known = Self.all.first(where: { $0.text.utf8.elementsEqual(text.utf8) }) {
      self = known
      return
    }
    let prefix = Self.documents.text + "/"
    guard text.utf8.starts(with: prefix.utf8),
      let collection = try? CollectionName(validating: String(text.dropFirst(prefix.count)))
    else { throw StoreError.unknownName(text) }
    self = .documents(in: collection)
  }

  /// What is held.
  public static let assets = StoredName("domain.portfolio/assets", 0)
  /// Which assets are in which category.
  public static let categories = StoredName("domain.portfolio/categories", 1)
  /// What happened to assets, slot by slot.
  public static let history = StoredName("domain.portfolio/history", 2)
  /// The snapshots of closed slots.
  public static let snapshots = StoredName("domain.portfolio/snapshots", 3)
  /// The asset table.
  public static let assetTable = StoredName("domain.market/assets", 4)
  /// Price tables.
  public static let prices = StoredName("domain.market/prices", 5)
  /// The ranks of assets, which come with the asset table.
  public static let leaderboard = StoredName("domain.market/leaderboard", 6)
  /// The documents of all collections.
  public static let documents = StoredName("domain.documents", 7)
  /// The flow that is under way.
  public static let flow = StoredName("app.portfolio/edit", 8)
  /// Transactions that wait to be sent.
  public static let outbox = StoredName("gate.sync/outbox", 9)
  /// The entries that are kept.
  public static let log = StoredName("gate.sync/log", 10)
  /// How far the log has been read, and the store's other single facts.
  public static let cursor = StoredName("gate.sync/cursor", 11)
  /// The devices that have entries in the log.
  public static let devices = StoredName("gate.sync/devices", 12)
  /// How far price tables and the asset table have been read.
  public static let marketCursor = StoredName("gate.market/cursor", 13)
  /// Settings of the user interface.
  public static let settings = StoredName("ui.cli/settings", 14)
  /// What the store says of its own format.
  public static let format = StoredName("meta/format", 15)

  /// The documents of a collection.
  public static func documents(in collection: CollectionName) -> StoredName {
    StoredName(documents.text + "/" + collection.text, documents.place, collection)
  }

  /// Every name but those of single collections.
  public static let all = [
    assets, categories, history, snapshots, assetTable, prices, leaderboard, documents, flow,
    outbox, log, cursor, devices, marketCursor, settings, format,
  ]

  /// The name.
  public var description: String { text }

  /// The databases that hold it.
  func databases(_ spaces: Spaces) -> [Database] {
    switch self {
    case .assets: [spaces.assets]
    case .categories: [spaces.categories]
    case .history: [spaces.history]
    case .snapshots: [spaces.snapshots]
    case .assetTable, .leaderboard: [spaces.marketAssets]
    case .prices: [spaces.prices]
    case .flow: [spaces.edit]
    case .outbox: [spaces.outbox]
    case .log: [spaces.log]
    case .cursor: [spaces.cursor]
    case .devices: [spaces.devices]
    case .marketCursor: [spaces.marketCursor]
    case .settings: [spaces.settings]
    case .format: [spaces.format]
    default: [spaces.documents]
    }
  }
}

/// Some of the names, collections apart, as one word.
struct StoredNames: Hashable, Sendable {
  private(set) var bits: UInt64

  /// How many places there are.
  static let countMax = UInt64.bitWidth

  static let none = StoredNames(bits: 0)
  static let all = StoredNames(bits: .max)

  private init(bits: UInt64) { self.bits = bits }

  init(_ names: some Sequence<StoredName>) {
    self.init(places: names.lazy.map(\.place))
  }

  /// The names of those places.
  init(places: some Sequence<Int>) {
    bits = places.reduce(0) { $0 | 1 << UInt64($1) }
  }

  var isEmpty: Bool { bits == 0 }

  @inline(__always)
  func meets(_ other: StoredNames) -> Bool { bits & other.bits != 0 }

  func contains(_ name: StoredName) -> Bool { bits & 1 << UInt64(name.place) != 0 }

  func subtracting(_ other: StoredNames) -> StoredNames { StoredNames(bits: bits & ~other.bits) }

  /// The places of the names, in order.
  var places: [Int] { (0..<Self.countMax).filter { bits & 1 << UInt64($0) != 0 } }
}
