import Synchronization

/// The right of this process to have a folder open: its place among the process's open folders.
final class Tenancy: Sendable {
  /// The folders and data files this process has open. A second environment on one of them would drop
  /// the first one's locks when it closed, so there is never one.
  private static let open = Mutex<Set<FileIdentity>>([])

  private let identity: FileIdentity

  init(folder: String) throws(StorageError) {
    guard let identity = try System.identity(folder) else { throw .missing(path: folder) }
    guard Self.open.withLock({ $0.insert(identity).inserted }) else {
      throw .alreadyOpen(path: folder)
    }
    self.identity = identity
  }

  func end() {
    _ = Self.open.withLock { $0.remove(identity) }
  }
}
