import Synchronization

/// The hold of this process on a folder: its place among the folders the process has open, and its
/// lock against other processes.
final class Tenancy: Sendable {
  /// The folders and data files this process has open.
  ///
  /// A second environment on one of them would drop the first one's locks when it closed, so there
  /// is never one.
  private static let open = Mutex<Set<FileIdentity>>([])

  private struct Holding {
    var places: [Place]
    var lock: FolderLock?
  }

  private let holding: Mutex<Holding>

  /// Takes a folder for this process, then against other processes.
  init(folder: String, _ options: Environment.Options) throws(StorageError) {
    let place = try Place(folder)
    try Self.take(place)
    do throws(StorageError) {
      let lock = try Self.lock(folder, options)
      holding = Mutex(Holding(places: [place], lock: lock))
    } catch {
      Self.giveBack([place])
      throw error
    }
  }

  /// Takes the folder's data file as well, which another folder may have under another name.
  func take(dataFile path: String) throws(StorageError) {
    let place = try Place(path)
    try Self.take(place)
    holding.withLock { $0.places.append(place) }
  }

  /// Runs `body` while no other process makes files in the folder.
  func whileMaking(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    guard let lock = holding.withLock({ $0.lock }) else { return try body() }
    try lock.whileMaking(body)
  }

  /// Gives the folder up.
  func end() {
    let held = holding.withLock { holding in
      defer { holding = Holding(places: [], lock: nil) }
      return holding
    }
    Self.giveBack(held.places)
  }

  private static func lock(_ folder: String, _ options: Environment.Options) throws(StorageError)
    -> FolderLock?
  {
    do throws(StorageError) {
      return try FolderLock(
        folder, options.exclusive ? .exclusive : .shared, wait: options.lockWait,
        label: options.applicationLabel)
    } catch {
      // On a device that cannot be written to nobody writes, and there is nothing to lock.
      if options.readOnly, error.isReadOnlyDevice { return nil }
      throw error
    }
  }

  private static func take(_ place: Place) throws(StorageError) {
    guard open.withLock({ $0.insert(place.identity).inserted }) else {
      throw .alreadyOpen(path: place.descriptor.path)
    }
  }

  private static func giveBack(_ places: [Place]) {
    open.withLock { $0.subtract(places.map(\.identity)) }
  }
}

/// A folder or file, held so that its identity is nobody else's even after it is deleted.
private final class Place: Sendable {
  let identity: FileIdentity
  let descriptor: Descriptor

  init(_ path: String) throws(StorageError) {
    guard try System.exists(path) else { throw .missing(path: path) }
    descriptor = try System.open(path, System.nameOnly)
    identity = try descriptor.identity()
  }
}
