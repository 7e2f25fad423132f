internal import FolioDomain
internal import LMDB

extension Store {
  /// Makes a store in an empty or absent folder, with a device id of its own, and opens it.
  ///
  /// - Throws: ``StoreError/folderNotEmpty(path:)``, ``StoreError/storage(_:)``.
  public static func create(at path: String, _ options: StoreOptions) throws -> Store {
    guard try isFree(path) else { throw StoreError.folderNotEmpty(path: path) }
    let store = try opened(path, options)
    do {
      try store.write { transaction in try transaction.begin(options) }
    } catch {
      store.close()
      throw error
    }
    return store
  }

  /// Opens the store of a folder.
  ///
  /// A store of a newer format is refused before anything is written to it; one of an older format is
  /// brought up to date in one storage transaction, or stays as it is.
  ///
  /// - Throws: ``StoreError/notAStore(path:)``, ``StoreError/newerFormat(path:found:known:)``,
  ///   ``StoreError/olderFormat(path:found:known:)`` where it is opened for reading alone,
  ///   ``StoreError/otherApplication(path:found:)``, ``StoreError/storage(_:)``.
  public static func open(at path: String, _ options: StoreOptions) throws -> Store {
    guard let format = try format(of: path) else { throw StoreError.notAStore(path: path) }
    guard format.application == FormatRecord.application else {
      throw StoreError.otherApplication(path: path, found: format.application)
    }
    guard format.version <= FormatRecord.version else {
      throw StoreError.newerFormat(
        path: path, found: format.version, known: FormatRecord.version)
    }
    let isOlder = format.version < FormatRecord.version
    if isOlder, options.readOnly {
      throw StoreError.olderFormat(
        path: path, found: format.version, known: FormatRecord.version)
    }
    let store = try opened(path, options)
    guard isOlder else { return store }
    do {
      try store.write { try $0.upgrade() }
    } catch {
      store.close()
      throw error
    }
    return store
  }

  private static func opened(_ path: String, _ options: StoreOptions) throws -> Store {
    var engine = Environment.Options(databases: Spaces.names)
    engine.mapByteCount = options.mapByteCount
    engine.quotaByteCount = options.quotaByteCount
    engine.readOnly = options.readOnly
    engine.exclusive = options.exclusive
    engine.faults = options.faults
    let environment: Environment
    do {
      environment = try Environment.open(at: path, engine)
    } catch {
      throw StoreError.storage(error)
    }
    let context = StoreContext(Spaces(environment), options)
    return Store(path: path, environment: environment, context: context)
  }

  /// What the folder says its format is; nil where it holds no store.
  ///
  /// Opened for reading only, so that a store this program does not know is left as it is.
  private static func format(of path: String) throws -> FormatRecord? {
    var engine = Environment.Options(databases: [Spaces.formatName])
    engine.readOnly = true
    do {
      let environment = try Environment.open(at: path, engine)
      defer { environment.close() }
      let database = environment.database(Spaces.formatName)
      return try environment.read { try FormatRecord.read($0, database) }
    } catch let error as StorageError {
      switch error {
      case .missing, .databaseMissing, .notAnEnvironment: return nil
      case .system(_, _, let number) where Folder.isAbsent(number): return nil
      default: throw StoreError.storage(error)
      }
    }
  }

  /// Whether a store can be made in a folder: it is absent or empty, or the making of one there was
  /// interrupted before anything was in it.
  private static func isFree(_ path: String) throws -> Bool {
    guard let names = try Folder.names(in: path) else { return true }
    if names.isEmpty { return true }
    guard names.allSatisfy(Folder.isOfStorage) else { return false }
    return try isUnfinished(path)
  }

  /// Whether a data file has none but empty spaces of a store, or is not there.
  private static func isUnfinished(_ path: String) throws -> Bool {
    do {
      let tables = try Environment.verify(file: path + "/data.mdb").tables
      return tables.allSatisfy { $0.recordCount == 0 && Spaces.names.contains($0.name) }
    } catch StorageError.missing {
      return true
    } catch is StorageError {
      return false
    }
  }
}

extension StoreWriteTransaction {
  /// The first records of a new store.
  fileprivate mutating func begin(_ options: StoreOptions) throws {
    let format = FormatRecord(
      application: FormatRecord.application, version: FormatRecord.version,
      engine: FormatRecord.engine, createdAt: context.clock.now())
    try base.put(spaces.format, FormatRecord.key, format.encoded)
    try put(IdentityRecord(device: DeviceID(context.random.next128())))
  }
}
