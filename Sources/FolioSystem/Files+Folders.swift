#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Files {
  /// Makes the folder at `path`, and those above it that are missing, each with mode 0700.
  ///
  /// - Returns: whether it was made; false where it was there already, which changes nothing.
  @discardableResult
  public static func makeFolder(_ path: String) throws(FileError) -> Bool {
    do throws(Errno) {
      try systemMakeFolder(path)
    } catch .exists {
      // Another process may have made it just now; only what is no folder is in the way.
      if try kind(of: path) == .folder { return false }
      throw .failed(operation: "make the folder", path: path, errno: .exists)
    } catch .notFound where parent(of: path) != path {
      try makeFolder(parent(of: path))
      try call("make the folder", path) { () throws(Errno) in try systemMakeFolder(path) }
    } catch {
      throw .failed(operation: "make the folder", path: path, errno: error)
    }
    try syncFolder(parent(of: path))
    return true
  }

  /// Syncs a folder, so that the names in it survive a power cut.
  public static func syncFolder(_ path: String) throws(FileError) {
    try call("sync the folder", path) { () throws(Errno) in
      let descriptor = try systemOpen(path, O_RDONLY | O_DIRECTORY, 0)
      defer { try? systemClose(descriptor) }
      try systemSync(descriptor)
    }
  }

  /// Gives a folder another name; an empty folder that has that name already is replaced.
  ///
  /// The name survives a power cut once this returns.
  public static func moveFolder(_ path: String, to target: String) throws(FileError) {
    try call("rename", target) { () throws(Errno) in try systemRename(path, target) }
    try syncFolder(parent(of: target))
    if parent(of: path) != parent(of: target) { try syncFolder(parent(of: path)) }
  }

  /// The names in the folder at `path`, without `.` and `..`, in the order of their bytes.
  ///
  /// - Complexity: O(n log n) in their number.
  public static func entries(of path: String) throws(FileError) -> [String] {
    let names = try call("list", path) { () throws(Errno) in
      let descriptor = try systemOpen(path, O_RDONLY | O_DIRECTORY, 0)
      defer { try? systemClose(descriptor) }
      return try systemEntries(of: descriptor)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Removes a folder with all that is in it, or a file; nothing happens where there is none.
  ///
  /// Symbolic links are removed, never followed.
  public static func removeTree(_ path: String) throws(FileError) {
    do throws(Errno) {
      let descriptor = try systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0)
      defer { try? systemClose(descriptor) }
      try removeContents(of: descriptor)
      try systemRemove(path, isFolder: true)
    } catch .notFound {
      return
    } catch let error where error == .notAFolder || error == .tooManyLinks {
      try removeFile(path)
    } catch {
      throw .failed(operation: "remove", path: path, errno: error)
    }
  }

  private static func removeContents(of folder: Int32) throws(Errno) {
    for name in try systemEntries(of: folder) {
      let isFolder = try systemStatus(in: folder, name).isFolder
      if isFolder {
        let inner = try systemOpen(at: folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        defer { try? systemClose(inner) }
        try removeContents(of: inner)
      }
      try systemRemove(in: folder, name, isFolder: isFolder)
    }
  }

  /// The folder that holds `path`; `.` for a bare name.
  ///
  /// - Complexity: O(n) in its length.
  public static func parent(of path: String) -> String {
    var bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    guard let last = bytes.lastIndex(of: slash) else { return "." }
    bytes.removeSubrange(last...)
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    return bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
  }
}

/// A folder of its own under `$TMPDIR` or `/tmp`, removed with all that is in it when the last
/// reference goes.
public final class ScratchFolder: Sendable {
  /// The folder's path.
  public let path: String

  /// Makes the folder, mode 0700, with a name that starts with `prefix`.
  public init(prefix: String = "folio-") throws(FileError) {
    let parent = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
    path = try Files.call("make a folder in", parent) { () throws(Errno) in
      try systemMakeTemporaryFolder("\(parent)/\(prefix)")
    }
  }

  deinit {
    // Nobody is left to tell; what stays is for the system's own cleaning.
    try? Files.removeTree(path)
  }
}
