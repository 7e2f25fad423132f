#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file or folder, closed when it goes out of scope.
struct Descriptor: ~Copyable, Sendable {
  let number: Int32
  let path: String

  init(number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  deinit {
    close(number)
  }

  func failure(_ operation: String) -> StorageError {
    .system(operation: operation, path: path, number: errno)
  }

  func byteCount() throws(StorageError) -> Int {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw failure("look at") }
    return Int(status.st_size)
  }

  func identity() throws(StorageError) -> FileIdentity {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw failure("look at") }
    return FileIdentity(status)
  }

  func setMode(_ mode: mode_t) throws(StorageError) {
    guard fchmod(number, mode) == 0 else { throw failure("set the mode of") }
  }

  /// Waits until what was written is on the device.
  func sync() throws(StorageError) {
    #if canImport(Darwin)
      if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(number) != 0 {
      if errno != EINTR { throw failure("sync") }
    }
  }

  /// The bytes from `offset` on, fewer at the end of the file.
  func read(_ byteCount: Int, at offset: Int) throws(StorageError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var filled = 0
    while filled < byteCount {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          number, buffer.baseAddress?.advanced(by: filled), byteCount - filled,
          off_t(offset + filled))
      }
      if count == 0 { break }
      if count > 0 { filled += count } else if errno != EINTR { throw failure("read") }
    }
    bytes.removeLast(byteCount - filled)
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          number, buffer.baseAddress?.advanced(by: written), bytes.count - written,
          off_t(offset + written))
      }
      if count > 0 { written += count } else if errno != EINTR { throw failure("write") }
    }
  }
}
