#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reading and writing whole files, and making and removing folders, by path.
///
/// What it makes is for the user alone: files 0600 and folders 0700, whatever the umask.
public enum Files {
  /// What a path leads to.
  public enum Kind: Hashable, Sendable {
    /// A file with bytes in it.
    case file
    /// A folder.
    case folder
    /// A pipe, a device, a socket.
    case other
  }

  /// What stands at `path`, symbolic links followed; nil where nothing does.
  public static func kind(of path: String) throws(FileError) -> Kind? {
    do throws(Errno) {
      let status = try systemStatus(at: path)
      return status.isFolder ? .folder : status.isRegular ? .file : .other
    } catch {
      if error == .notFound || error == .notAFolder { return nil }
      throw .failed(operation: "look at", path: path, errno: error)
    }
  }

  /// How many bytes the file at `path` has.
  public static func byteCount(of path: String) throws(FileError) -> Int {
    do throws(Errno) {
      return try systemStatus(at: path).byteCount
    } catch {
      throw .failed(operation: "look at", path: path, errno: error)
    }
  }

  /// The bytes of the file at `path`, which may be a pipe or a device too.
  ///
  /// - Complexity: O(n) in its bytes, and never more than one above `byteCountMax` in memory.
  /// - Throws: `FileError.tooLarge` where there are more than `byteCountMax` bytes.
  public static func read(
    _ path: String, byteCountMax: Int = .max - 1
  ) throws(FileError) -> [UInt8] {
    let descriptor = try call("open", path) { () throws(Errno) in try systemOpen(path, O_RDONLY, 0)
    }
    defer { try? systemClose(descriptor) }
    return try readAll(descriptor, path, byteCountMax)
  }

  private static func readAll(
    _ descriptor: Int32, _ path: String, _ byteCountMax: Int
  ) throws(FileError) -> [UInt8] {
    let status = try call("look at", path) { () throws(Errno) in try systemStatus(of: descriptor) }
    // One more than the size: the read that meets the end needs no growth.
    var bytes = [UInt8]()
    bytes.reserveCapacity(min(status.byteCount, byteCountMax) + 1)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try call("read", path) { () throws(Errno) in
        try descriptorRead(descriptor, &chunk)
      }
      if count == 0 { return bytes }
      if bytes.count + count > byteCountMax {
        throw .tooLarge(path: path, byteCountMax: byteCountMax)
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  static func descriptorRead(
    _ descriptor: Int32, _ chunk: inout [UInt8]
  ) throws(Errno) -> Int {
    var outcome: Result<Int, Errno> = .success(0)
    chunk.withUnsafeMutableBytes { buffer in
      do throws(Errno) {
        outcome = .success(try systemRead(descriptor, buffer))
      } catch {
        outcome = .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Writes a file so that at every moment, a power cut included, its name leads to all of the old
  /// bytes or to all of the new ones.
  ///
  /// The bytes go into a new file beside it, are synced, and take the name; then the folder is
  /// synced. The file has mode 0600. What has the name and is no file, like `/dev/stdout`, is not
  /// replaced.
  public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    if let kind = try kind(of: path), kind != .file {
      throw .failed(operation: "create", path: path, errno: .exists)
    }
    let temporary = "\(path).\(systemProcessID()).\(systemMonotonicNanoseconds()).new"
    do throws(FileError) {
      try writeNew(bytes, to: temporary)
      try call("rename", path) { () throws(Errno) in try systemRename(temporary, path) }
    } catch {
      try? systemRemove(temporary)
      throw error
    }
    try syncFolder(parent(of: path))
  }

  private static func writeNew(_ bytes: [UInt8], to path: String) throws(FileError) {
    let descriptor = try call("create", path) { () throws(Errno) in
      try systemOpen(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    }
    // Closing an already synced file has nothing left to lose.
    defer { try? systemClose(descriptor) }
    try call("write", path) { () throws(Errno) in
      try systemSetMode(descriptor, 0o600)
      try FileDescriptor(descriptor).writeAll(bytes)
      try systemSync(descriptor)
    }
  }

  /// Removes the file at `path`; nothing happens where there is none.
  public static func removeFile(_ path: String) throws(FileError) {
    do throws(Errno) {
      try systemRemove(path)
    } catch {
      if error != .notFound { throw .failed(operation: "remove", path: path, errno: error) }
    }
  }

  /// Gives a file another name, in place of a file that has it.
  ///
  /// Other names in the folder may be changed meanwhile; `syncFolder` makes it survive a power cut.
  public static func rename(_ path: String, to other: String) throws(FileError) {
    try call("rename", path) { () throws(Errno) in try systemRename(path, other) }
  }

  /// Gives a file a second name under which it stays when another takes its place; where the system
  /// has no second names, that name alone.
  ///
  /// - Throws: where the name is taken, among others.
  public static func keep(_ path: String, as other: String) throws(FileError) {
    do throws(Errno) {
      try systemLink(path, other)
    } catch  where error == .notPermitted || error == .notSupported {
      try rename(path, to: other)
    } catch {
      throw .failed(operation: "keep", path: path, errno: error)
    }
  }

  /// Runs one step; an error of the system gets the operation and the path.
  static func call<Value>(
    _ operation: String, _ path: String, _ step: () throws(Errno) -> Value
  ) throws(FileError) -> Value {
    do throws(Errno) {
      return try step()
    } catch {
      throw .failed(operation: operation, path: path, errno: error)
    }
  }
}
