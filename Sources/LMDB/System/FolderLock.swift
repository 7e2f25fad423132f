import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A hold on a folder: shared by all who use it, or exclusive for who repairs or restores it.
///
/// The hold is a lock of the system on the file `folio.lock`, so it ends with its process however
/// that ends. Each holder also has a line of that file, locked as long as he lives, with his
/// process's number and name: that is how an error can name him.
///
/// The locks belong to the open file and not to the process, so two holds inside one process
/// exclude each other like those of two processes.
public final class FolderLock: Sendable {
  /// The name of the lock file.
  public static let fileName = "folio.lock"

  /// How a folder is held.
  public enum Mode: Sendable, Hashable {
    /// Together with others who hold it shared.
    case shared
    /// Alone.
    case exclusive
  }

  // The lines are locked one by one, the hold itself is a byte far behind them.
  static let lineByteCount = 128
  static let lineCountMax = 4096
  static let holdOffset = 1 << 30

  private let descriptor: Descriptor

  /// Takes the hold, waiting for others to give theirs up.
  ///
  /// - Throws: ``StorageError/locked(path:holder:)``, which names the holders, when `wait` is over;
  ///   errors of the system.
  public init(
    _ folder: String, _ mode: Mode, wait: Duration = .seconds(5), label: String? = nil
  ) throws(StorageError) {
    let file = try System.open(folder + "/" + Self.fileName, O_RDWR | O_CREAT, mode: 0o600)
    try file.setMode(0o600)
    let kind = mode == .shared ? F_RDLCK : F_WRLCK
    let deadline = ContinuousClock.now.advanced(by: wait)
    while try !file.tryLock(Int16(kind), offset: Self.holdOffset, byteCount: 1) {
      guard ContinuousClock.now < deadline else {
        throw .locked(path: folder, holder: try Self.holders(file))
      }
      System.pause(microseconds: 10_000)
    }
    try Self.sign(file, label)
    descriptor = file
  }

  /// Runs `body` while no other holder runs one.
  func whileMaking(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    let offset = Self.holdOffset + 1
    while try !descriptor.tryLock(Int16(F_WRLCK), offset: offset, byteCount: 1) {
      System.pause(microseconds: 200)
    }
    defer { descriptor.unlock(offset: offset, byteCount: 1) }
    try body()
  }

  /// Writes this holder's line: the first that nobody alive has.
  private static func sign(_ file: borrowing Descriptor, _ label: String?) throws(StorageError) {
    for line in 0..<lineCountMax {
      let offset = line * lineByteCount
      guard try file.tryLock(Int16(F_WRLCK), offset: offset, byteCount: lineByteCount) else {
        continue
      }
      try file.write(text(label), at: offset)
      return
    }
  }

  /// A holder's line: process number, a space, name, spaces, a line feed.
  private static func text(_ label: String?) -> [UInt8] {
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    let name = label ?? program ?? "a program"
    let scalars = name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    var text = "\(System.processNumber) "
    for scalar in scalars where text.utf8.count + 4 < lineByteCount {
      text.unicodeScalars.append(scalar)
    }
    var bytes = Array(text.utf8)
    bytes += [UInt8](repeating: 0x20, count: lineByteCount - bytes.count)
    bytes[lineByteCount - 1] = 0x0A
    return bytes
  }

  /// Who holds the folder now, for people: up to three by name, the others by number.
  private static func holders(_ file: borrowing Descriptor) throws(StorageError) -> String {
    var names: [String] = []
    let lines = min(lineCountMax, (try file.byteCount() + lineByteCount - 1) / lineByteCount)
    for line in 0..<lines {
      let offset = line * lineByteCount
      guard try file.isLocked(offset: offset, byteCount: lineByteCount) else { continue }
      if let name = name(try file.read(lineByteCount, at: offset)) { names.append(name) }
    }
    switch names.count {
    case 0: return "another process"
    case 1...3: return names.joined(separator: ", ")
    default: return names[..<3].joined(separator: ", ") + " and \(names.count - 3) more"
    }
  }

  private static func name(_ line: [UInt8]) -> String? {
    let parts = String(decoding: line, as: UTF8.self).split(
      separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, let number = Int32(parts[0]) else { return nil }
    var name = parts[1]
    while let last = name.last, last == " " || last == "\n" { name.removeLast() }
    return "\(name) (process \(number))"
  }
}

extension Descriptor {
  /// Takes a lock that belongs to this open file, without waiting; false where another has it.
  func tryLock(_ kind: Int16, offset: Int, byteCount: Int) throws(StorageError) -> Bool {
    var lock = Self.lock(kind, offset, byteCount)
    while true {
      if unsafe fcntl(number, clmdb_lock_set, &lock) == 0 { return true }
      switch errno {
      case EAGAIN, EACCES: return false
      case EINTR: continue
      default: throw failure("lock")
      }
    }
  }

  /// Gives a lock back.
  func unlock(offset: Int, byteCount: Int) {
    var lock = Self.lock(Int16(F_UNLCK), offset, byteCount)
    _ = unsafe fcntl(number, clmdb_lock_set, &lock)
  }

  /// Whether another open file has a lock there.
  func isLocked(offset: Int, byteCount: Int) throws(StorageError) -> Bool {
    var lock = Self.lock(Int16(F_WRLCK), offset, byteCount)
    guard unsafe fcntl(number, clmdb_lock_get, &lock) == 0 else {
      throw failure("look for locks of")
    }
    return lock.l_type != Int16(F_UNLCK)
  }

  private static func lock(_ kind: Int16, _ offset: Int, _ byteCount: Int) -> flock {
    var lock = flock()
    lock.l_type = kind
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(offset)
    lock.l_len = off_t(byteCount)
    return lock
  }
}
