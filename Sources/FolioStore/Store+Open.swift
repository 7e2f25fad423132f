internal import FolioDomain
public import LMDB

extension Store {
  /// Makes a store in an empty or absent folder, with a device id of its own, and opens it.
  ///
  /// - Throws: ``StoreError/folderNotEmpty(path:)``, ``StoreError/storage(_:)``.
  public static func create(at path: String, _ options: StoreOptions) throws -> Store {
    try create(in: .folder(path), options)
  }

  /// Makes a store on an empty disk in memory: the same in all but that no file is made.
  ///
  /// For simulations and tests. ``path`` is then the disk's name.
  /// - Throws: as the same of a folder does.
  public static func create(on disk: MemoryDisk, _ options: StoreOptions) throws -> Store {
    try create(in: .memory(disk), options)
  }

  /// Opens the store of a folder.
  ///
  /// A store of a newer format is refused before anything is written to it; one of an older format is
  /// brought up to date in one storage transaction, or stays as it is. Operations that an older program
  /// kept, because it did not understand them, take effect.
  ///
  /// - Throws: ``StoreError/notAStore(path:)``, ``StoreError/newerFormat(path:found:known:)``,
  ///   ``StoreError/olderFormat(path:found:known:)`` where it is opened for reading alone,
  ///   ``StoreError/otherApplication(path:found:)``, ``StoreError/storage(_:)``.
  public static func open(at path: String, _ options: StoreOptions) throws -> Store {
    try open(in: .folder(path), options)
  }

  /// Opens the store of a disk in memory.
  ///
  /// - Throws: as the same of a folder does.
  public static func open(on disk: MemoryDisk, _ options: StoreOptions) throws -> Store {
    try open(in: .memory(disk), options)
  }

  private static func create(in place: StorePlace, _ options: StoreOptions) throws -> Store {
    guard try place.isFree() else { throw StoreError.folderNotEmpty(path: place.path) }
    let store = try opened(place, options)
    do {
      try store.write { transaction in try transaction.begin(options, at: place.path) }
    } catch {
      store.close()
      throw error
    }
    return store
  }

  private static func open(in place: StorePlace, _ options: StoreOptions) throws -> Store {
    let path = place.path
    guard let format = try format(of: place) else { throw StoreError.notAStore(path: path) }
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
    let store = try opened(place, options)
    do {
      if isOlder { try store.write { try $0.upgrade() } }
      if !options.readOnly { try store.takeUpgrade() }
    } catch {
      store.close()
      throw error
    }
    return store
  }

  private static func opened(_ place: StorePlace, _ options: StoreOptions) throws -> Store {
    var engine = Environment.Options(databases: Spaces.names)
    engine.mapByteCount = options.mapByteCount
    engine.quotaByteCount = options.quotaByteCount
    engine.readOnly = options.readOnly
    engine.exclusive = options.exclusive
    engine.faults = options.faults
    let environment: Environment
    do {
      environment = try place.open(engine)
    } catch {
      throw StoreError.storage(error)
    }
    let hub = ChangeHub(environment, dataFile: place.dataFile)
    let context = StoreContext(Spaces(environment), options, hub)
    return Store(path: place.path, environment: environment, context: context)
  }

  /// What the place says its format is; nil where it holds no store.
  ///
  /// Opened for reading only, so that a store this program does not know is left as it is.
  private static func format(of place: StorePlace) throws -> FormatRecord? {
    var engine = Environment.Options(databases: [Spaces.formatName])
    engine.readOnly = true
    do {
      let environment = try place.open(engine)
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
}

extension StoreWriteTransaction {
  /// Says that the store is one of this program's format.
  mutating func putFormat() throws {
    let format = FormatRecord(
      application: FormatRecord.application, version: FormatRecord.version,
      engine: FormatRecord.engine, createdAt: context.clock.now())
    try base.put(spaces.format, FormatRecord.key, format.encoded)
  }

  /// The first records of a new store.
  ///
  /// - Throws: ``StoreError/folderNotEmpty(path:)`` where another process has made a store here since
  ///   the place was found free.
  fileprivate mutating func begin(_ options: StoreOptions, at path: String) throws {
    guard try base.bytes(spaces.format, FormatRecord.key) == nil else {
      throw StoreError.folderNotEmpty(path: path)
    }
    try putFormat()
    try put(IdentityRecord(device: DeviceID(context.random.next128())))
    try put(UnderstandingRecord(level: context.operationLevel))
  }
}
