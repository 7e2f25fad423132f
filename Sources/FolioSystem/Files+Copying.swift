#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Files {
  private static let pieceByteCount = 1 << 20

  /// Copies the bytes of a file into one that must not be there, of mode 0600, and syncs them.
  ///
  /// Where it fails, what was written stays under that name. The folder is not synced.
  /// - Complexity: O(n) in its bytes, in memory of a piece of them.
  public static func copy(_ path: String, to other: String) throws(FileError) {
    let source = try call("open", path) { () throws(Errno) in try systemOpen(path, O_RDONLY, 0) }
    // Nothing was written to the one, and the other is synced by then.
    defer { try? systemClose(source) }
    let target = try call("create", other) { () throws(Errno) in
      try systemOpen(other, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    }
    defer { try? systemClose(target) }
    try call("create", other) { () throws(Errno) in try systemSetMode(target, 0o600) }
    var piece = [UInt8](repeating: 0, count: pieceByteCount)
    while true {
      let count = try call("read", path) { () throws(Errno) in
        try descriptorRead(source, &piece)
      }
      if count == 0 { break }
      try call("write", other) { () throws(Errno) in
        try FileDescriptor(target).writeAll(Array(piece[..<count]))
      }
    }
    try call("sync", other) { () throws(Errno) in try systemSync(target) }
  }
}
