#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A lock on a file, held by one process at a time and given up when it is released or the process
/// ends, however that ends.
public final class FileLock: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the lock of the file at `path`, which is made with mode 0600 where it is missing; nil where
  /// somebody holds it.
  ///
  /// It never waits.
  public static func take(_ path: String) throws(FileError) -> FileLock? {
    let descriptor = try Files.call("open", path) { () throws(Errno) in
      try systemOpen(path, O_RDWR | O_CREAT, 0o600)
    }
    do throws(Errno) {
      try systemLock(descriptor)
    } catch {
      try? systemClose(descriptor)
      if error == .wouldBlock { return nil }
      throw .failed(operation: "lock", path: path, errno: error)
    }
    return FileLock(descriptor: descriptor)
  }

  deinit { try? systemClose(descriptor) }
}
