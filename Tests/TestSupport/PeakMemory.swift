import FolioSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The most memory that the process takes while it does something.
///
/// For a process of its own: what other threads take is counted too.
public enum PeakMemory {
  /// Whether it can be measured: the system tells it, and no sanitizer keeps what was given back.
  public static let isMeasurable: Bool = {
    let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
      dlsym(nil, name) != nil
    }
    return !isSanitized && (try? growth {}) ?? nil != nil
  }()

  /// Why a test that measures is skipped.
  public static let reason = "needs /proc/self/clear_refs, and no sanitizer"

  /// How many bytes of resident memory were added at most while `body` ran; nil where the system
  /// does not tell.
  public static func growth(_ body: () throws -> Void) throws -> Int? {
    // Makes the present size the greatest so far.
    guard let file = fopen("/proc/self/clear_refs", "w") else { return nil }
    fputs("5", file)
    fclose(file)
    guard let before = greatest() else { return nil }
    try body()
    return greatest().map { max($0 - before, 0) }
  }

  /// Prints what was measured, for the process that waits for this one.
  public static func report(_ what: String, _ growth: Int?) {
    print("memory: \(what): \((growth ?? 0) / 1024) KiB")
  }

  /// Prints what a process reported.
  public static func show(_ output: [UInt8]?) {
    for line in String(decoding: output ?? [], as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("memory: ") {
      print(line)
    }
  }

  private static func greatest() -> Int? {
    guard let status = try? Files.read("/proc/self/status", byteCountMax: 1 << 16) else {
      return nil
    }
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 }
  }
}
