import FolioStore
import FolioSystem

/// A folder beside the one that a store is to stand in, where it is built before it takes its place.
///
/// At every moment the place holds nothing of the store, or all of it.
struct BuildingFolder {
  /// Where the store is to stand: absent, or empty.
  let target: String
  /// Where it is built.
  let path: String

  /// Checks that the store can stand at `target`.
  init(for target: String) throws {
    var target = target
    while target.utf8.count > 1, target.utf8.last == UInt8(ascii: "/") { target.removeLast() }
    self.target = target
    path = target + ".building"
    switch try Files.kind(of: target) {
    case nil: break
    case .folder where try Files.entries(of: target).isEmpty: break
    default: throw StoreError.folderNotEmpty(path: target)
    }
  }

  /// Builds a store with `build`, and puts it into its place.
  ///
  /// Where `build` throws, the folder is removed, unless `keeps` says of the error that the next time
  /// is to go on from what is there.
  /// - Parameter resumes: Whether to go on from a store that is there already.
  func begin(
    _ options: AppOptions, resumes: (StoreStatus) -> Bool = { _ in false },
    keeps: (any Error, Store) -> Bool = { _, _ in false }, _ build: (Store) throws -> Void
  ) throws {
    let store = try openOrCreate(options, resumes)
    defer { store.close() }
    guard let lock = try FileLock.take(path + "/sync.lock") else {
      throw AppError.syncUnderWay(path: path)
    }
    defer { withExtendedLifetime(lock) {} }
    do {
      // Until it is whole it says so: what a crash leaves behind is used by nobody.
      try store.write { try $0.setRestoring(true) }
      try build(store)
      try store.write { try $0.setRestoring(false) }
    } catch {
      if !keeps(error, store) {
        store.close()
        try? Files.removeTree(path)
      }
      throw error
    }
    store.close()
    try Files.moveFolder(path, to: target)
  }

  /// Builds a store from a backup file, and puts it into its place.
  ///
  /// - Parameter look: Called with the store before that.
  func install(_ backup: String, _ options: AppOptions, _ look: (Store) throws -> Void) throws {
    if let left = try existing(options) {
      try remove(left, try left.read { try $0.status() })
    }
    try Files.makeFolder(Files.parent(of: path))
    do {
      let store = try Store.create(at: path, fromBackup: backup, options.store)
      defer { store.close() }
      try store.write { try $0.setRestoring(false) }
      try look(store)
    } catch StoreError.folderNotEmpty {
      throw AppError.buildingFolderTaken(path: path)
    } catch {
      try? Files.removeTree(path)
      throw error
    }
    try Files.moveFolder(path, to: target)
  }

  private func openOrCreate(
    _ options: AppOptions, _ resumes: (StoreStatus) -> Bool
  ) throws -> Store {
    if let store = try existing(options) {
      let status = try store.read { try $0.status() }
      if Self.isLeftBehind(status), !status.isRestoredBackup, resumes(status) { return store }
      try remove(store, status)
    }
    try Files.makeFolder(Files.parent(of: path))
    do {
      return try Store.create(at: path, options.store)
    } catch StoreError.folderNotEmpty {
      throw AppError.buildingFolderTaken(path: path)
    }
  }

  /// Whether a store is what an earlier attempt left behind: nothing was ever saved in it, so that all
  /// it holds is the server's, or it is the copy of a backup.
  private static func isLeftBehind(_ status: StoreStatus) -> Bool {
    status.lastSequence == 0 || status.isRestoredBackup
  }

  private func remove(_ store: Store, _ status: StoreStatus) throws {
    store.close()
    guard Self.isLeftBehind(status) else { throw AppError.buildingFolderTaken(path: path) }
    try Files.removeTree(path)
  }

  /// The store that is there already; nil where none is, or its making was interrupted.
  private func existing(_ options: AppOptions) throws -> Store? {
    do {
      return try Store.open(at: path, options.store)
    } catch StoreError.notAStore {
      return nil
    }
  }
}
