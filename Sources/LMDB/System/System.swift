#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What tells a file from every other while it exists.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var number: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// The calls of the system that the module makes; nothing else of it makes any.
enum System {
  static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(StorageError)
    -> Descriptor
  {
    while true {
      let number = openFile(path, flags | O_CLOEXEC, mode)
      if number >= 0 { return Descriptor(number: number, path: path) }
      if errno != EINTR { throw .system(operation: "open", path: path, number: errno) }
    }
  }

  /// To hold what is at a path without reading or writing it.
  ///
  /// Closing it drops no lock of the process, as closing any other descriptor of a file does.
  static var nameOnly: Int32 {
    #if canImport(Glibc)
      // O_PATH, which the headers show only to a program that asks for GNU extensions.
      0o10_000_000
    #else
      O_EVTONLY
    #endif
  }

  private static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, flags, mode)
    #else
      unsafe Darwin.open(path, flags, mode)
    #endif
  }

  /// The identity of what is at a path, or nil where nothing is.
  static func identity(_ path: String) throws(StorageError) -> FileIdentity? {
    var status = stat()
    if unsafe stat(path, &status) != 0 {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system(operation: "look at", path: path, number: errno)
    }
    return FileIdentity(status)
  }

  /// Whether something is at a path.
  static func exists(_ path: String) throws(StorageError) -> Bool {
    try identity(path) != nil
  }

  static func changeMode(_ path: String, _ mode: mode_t) throws(StorageError) {
    guard unsafe chmod(path, mode) == 0 else {
      throw .system(operation: "set the mode of", path: path, number: errno)
    }
  }

  /// Makes a folder of mode 0700 with the folders above it; false where it is there.
  static func makeFolder(_ path: String) throws(StorageError) -> Bool {
    var number = makeOneFolder(path)
    if number == ENOENT, folder(of: path) != path {
      _ = try makeFolder(folder(of: path))
      // Once more and no more: where no folder can be made, as in /proc, it says the same again.
      number = makeOneFolder(path)
    }
    switch number {
    case 0:
      try changeMode(path, 0o700)
      return true
    case EEXIST: return false
    default: throw .system(operation: "make the folder", path: path, number: number)
    }
  }

  /// Makes a folder in one that is there; 0, or the number of the error.
  private static func makeOneFolder(_ path: String) -> Int32 {
    unsafe mkdir(path, 0o700) == 0 ? 0 : errno
  }

  /// Takes all rights of group and others from a file.
  static func restrictMode(_ path: String) throws(StorageError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw .system(operation: "look at", path: path, number: errno)
    }
    if status.st_mode & 0o077 != 0 { try changeMode(path, 0o600) }
  }

  static func rename(_ path: String, to name: String) throws(StorageError) {
    guard renameFile(path, name) == 0 else {
      throw .system(operation: "make", path: name, number: errno)
    }
  }

  private static func renameFile(_ path: String, _ name: String) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.rename(path, name)
    #else
      unsafe Darwin.rename(path, name)
    #endif
  }

  /// Renames a file unless the name is taken.
  ///
  /// - Throws: ``StorageError/exists(path:)`` where it is.
  static func renameKeeping(_ path: String, to name: String) throws(StorageError) {
    do throws(StorageError) {
      guard try link(path, as: name) else { throw .exists(path: name) }
      remove(path)
    } catch {
      // Not every file system has second names.
      guard case .system(_, _, let number) = error,
        [EPERM, EOPNOTSUPP, ENOSYS].contains(number), try identity(name) == nil
      else { throw error }
      try rename(path, to: name)
    }
  }

  /// Gives a file a second name; false where that name is taken.
  static func link(_ path: String, as name: String) throws(StorageError) -> Bool {
    if linkFile(path, name) == 0 { return true }
    if errno == EEXIST { return false }
    throw .system(operation: "make", path: name, number: errno)
  }

  private static func linkFile(_ path: String, _ name: String) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.link(path, name)
    #else
      unsafe Darwin.link(path, name)
    #endif
  }

  static func remove(_ path: String) {
    unsafe unlink(path)
  }

  /// Makes the names in a folder last.
  static func syncFolder(_ path: String) throws(StorageError) {
    try open(path, O_RDONLY | O_DIRECTORY).sync()
  }

  /// Makes the names in a folder last, and its own name in the folders above.
  ///
  /// Stops at a folder that this user may not open, which was not made here.
  static func syncFolders(from path: String) throws(StorageError) {
    try syncFolder(path)
    var last = path
    while folder(of: last) != last {
      last = folder(of: last)
      do throws(StorageError) {
        try syncFolder(last)
      } catch .system(_, _, EACCES) {
        return
      }
    }
  }

  /// The folder a path lies in.
  static func folder(of path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }

  static func pause(microseconds: UInt32) {
    usleep(microseconds)
  }

  /// The number of this process.
  static var processNumber: Int32 { getpid() }
}

extension StorageError {
  /// Whether it says that a device cannot be written to.
  var isReadOnlyDevice: Bool {
    if case .system(_, _, EROFS) = self { true } else { false }
  }
}
