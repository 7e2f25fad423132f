#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Files {
  /// Writes a file that is not there yet, piece by piece, so that its name leads to the whole of it
  /// or to nothing.
  ///
  /// The pieces go into a new file beside it, mode 0600, which is synced and takes the name when
  /// `body` has ended; where it throws, nothing is left.
  /// - Throws: `FileError`, with `EEXIST` where something has the name; and what `body` throws.
  public static func writeNew(
    _ path: String, _ body: (_ append: @escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    if try kind(of: path) != nil {
      throw FileError.failed(operation: "create", path: path, errno: .exists)
    }
    let temporary = "\(path).\(systemProcessID()).\(systemMonotonicNanoseconds()).new"
    do {
      let descriptor = try call("create", path) { () throws(Errno) in
        try systemOpen(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o600)
      }
      // Closing an already synced file has nothing left to lose.
      defer { try? systemClose(descriptor) }
      try body { bytes in
        try call("write", path) { () throws(Errno) in
          try FileDescriptor(descriptor).writeAll(bytes)
        }
      }
      try call("write", path) { () throws(Errno) in try systemSync(descriptor) }
      try rename(temporary, to: path)
    } catch {
      try? systemRemove(temporary)
      throw error
    }
    try syncFolder(parent(of: path))
  }
}
