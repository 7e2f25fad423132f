#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder of a test's own that goes when the value does.
public final class TemporaryFolder: Sendable {
  /// The folder's path, without links in it.
  public let path: String

  /// Makes an empty folder whose name starts with `label`.
  public init(_ label: String = "test") throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/folio-\(label)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(message: "no temporary folder under \(parent): error \(errno)")
    }
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    path =
      realpath(made, &buffer) == nil
      ? made
      : String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { removeTree(path) }

  /// Makes a folder within.
  public func makeFolder(_ name: String) throws {
    guard mkdir(path + "/" + name, 0o700) == 0 else {
      throw CommandFailure(message: "\(name) was not made: error \(errno)")
    }
  }

  /// Writes a file within, in place of one of that name.
  public func write(_ bytes: [UInt8], to name: String) throws {
    guard let file = fopen(path + "/" + name, "w") else {
      throw CommandFailure(message: "\(name) was not opened: error \(errno)")
    }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw CommandFailure(message: "\(name) was not written: error \(errno)")
    }
  }

  /// The bytes of a file within.
  public func bytes(of name: String) throws -> [UInt8] {
    guard let file = fopen(path + "/" + name, "r") else {
      throw CommandFailure(message: "\(name) was not opened: error \(errno)")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// The text of a file within.
  public func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  /// Removes a file or folder within, with all that is in it.
  public func remove(_ name: String) throws {
    removeTree(path + "/" + name)
    guard access(path + "/" + name, F_OK) != 0 else {
      throw CommandFailure(message: "\(name) is still there")
    }
  }
}

private func removeTree(_ path: String) {
  var facts = stat()
  // A link to a folder is a file of this one: what it leads to stays.
  if lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, let folder = opendir(path) {
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { removeTree(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  } else {
    unlink(path)
  }
}
