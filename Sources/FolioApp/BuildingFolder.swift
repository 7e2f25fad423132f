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
  func begin(
    _ options: AppOptions, resuming: (Store) throws -> Bool = { _ in false },
    keeps: (any Error, Store) -> Bool = { _, _ in false },
    _ build: (Store) throws -> Void
  ) throws {
    let store = try openOrCreate(options, resuming: resuming)
    do {
      try build(store)
      try store.write { try $0.setRestoring(false) }
      store.close()
    } catch {
      let isKept = keeps(error, store)
      store.close()
      if !isKept { try? Files.removeTree(path) }
      throw error
    }
    if Files.parent(of: target) != target { try Files.makeFolder(Files.parent(of: target)) }
    try Files.moveFolder(path, to: target)
  }

  private func openOrCreate(
    _ options: AppOptions, resuming: (Store) throws -> Bool
  ) throws -> Store {
    guard try Files.kind(of: path) != nil else { return try create(options) }
    let store: Store
    do {
      store = try Store.open(at: path, options.store)
    } catch StoreError.notAStore {
      throw AppError.buildingFolderTaken(path: path)
    }
    if try resuming(store) { return store }
    let isUnfinished = try store.read { try $0.status().isRestoring }
    store.close()
    guard isUnfinished else { throw AppError.buildingFolderTaken(path: path) }
    try Files.removeTree(path)
    return try create(options)
  }

  private func create(_ options: AppOptions) throws -> Store {
    let store = try Store.create(at: path, options.store)
    // Until it is whole it says so: what was left by a crash is recognised, and used by nobody.
    do {
      try store.write { try $0.setRestoring(true) }
    } catch {
      store.close()
      throw error
    }
    return store
  }
}
