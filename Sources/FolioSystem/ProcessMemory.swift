/// The resident memory of a process: what it has in real memory at this moment.
public struct ProcessMemory: Hashable, Sendable {
  /// Bytes that belong to the process alone: heap and stacks.
  public var anonymousByteCount: Int
  /// Bytes of mapped files, which the system can take back at any time.
  public var mappedByteCount: Int

  /// This process's memory; nil where the system does not tell it in `/proc`.
  ///
  /// - Complexity: one read of a short file, some tens of microseconds.
  public static func current() -> ProcessMemory? {
    of("self")
  }

  /// The memory of the process `id`; nil where there is none or the system does not tell.
  public static func of(process id: Int32) -> ProcessMemory? {
    of("\(id)")
  }

  private static func of(_ name: String) -> ProcessMemory? {
    guard let bytes = try? Files.read("/proc/\(name)/status", byteCountMax: 1 << 16) else {
      return nil
    }
    return ProcessMemory(status: String(decoding: bytes, as: UTF8.self))
  }

  /// Reads the lines `RssAnon` and `RssFile` of a status file.
  init?(status: String) {
    var byteCounts: [Substring: Int] = [:]
    for line in status.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
      guard words.count == 3, words[2] == "kB", let count = Int(words[1]) else { continue }
      byteCounts[words[0]] = count * 1024
    }
    guard let anonymous = byteCounts["RssAnon:"], let mapped = byteCounts["RssFile:"] else {
      return nil
    }
    anonymousByteCount = anonymous
    mappedByteCount = mapped
  }
}
