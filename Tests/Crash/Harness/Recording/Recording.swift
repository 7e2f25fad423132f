import CrashInterposer
import FolioSystem
import TestSupport

/// What happened to the files of a script's folder, call by call.
struct Recording {
  /// A call that was done, or a mark between calls.
  enum Event {
    /// A file was made, or one that is there was opened.
    case made(path: String, file: UInt32)
    case opened(path: String, file: UInt32)
    /// Bytes were written; on the device when the call returned where it is synced.
    case wrote(file: UInt32, offset: Int, bytes: [UInt8], isSynced: Bool)
    /// A file got another length.
    case truncated(file: UInt32, byteCount: Int)
    /// A file, or the names of a folder, were brought onto the device.
    case synced(file: UInt32)
    case syncedFolder(path: String)
    case renamed(from: String, to: String)
    case linked(from: String, to: String)
    case removed(path: String)
    case madeFolder(path: String)
    /// The step of that number was acknowledged.
    case acknowledged(Int)
  }

  /// The events in their order.
  var events: [Event]

  /// Reads what the interposer wrote down.
  init(_ path: String) throws {
    var reader = EventReader(bytes: try Files.read(path))
    events = []
    while let event = try reader.next() { events.append(event) }
  }

  /// Runs a script of that many steps and records it.
  static func of(
    _ kind: SubjectKind, seed: UInt64, steps: Int, _ scratch: TemporaryFolder, wrong: Wrong? = nil
  ) throws -> Recording {
    let folder = scratch.path + "/run"
    try Files.removeTree(folder)
    try scratch.makeFolder("run")
    try scratch.makeFolder("run/backups")
    let file = scratch.path + "/recording"
    crash_watch(folder)
    let code = crash_record(file, Int32(wrong?.lies ?? 0))
    guard code == 0 else { throw Finding("nothing was recorded: error \(code)") }
    defer { crash_watch("") }
    let stage = Stage(folder, seed: seed)
    let subject = kind.subject(stage)
    for step in 0..<steps {
      if wrong == .early { crash_mark(UInt64(step)) }
      if wrong == .halves, step > 0 { try subject.performHalf(step) }
      try subject.perform(step)
      if wrong != .early { crash_mark(UInt64(step)) }
    }
    subject.close()
    return try Recording(file)
  }
}

extension Wrong {
  /// What a recording leaves out.
  fileprivate var lies: Int {
    switch self {
    case .files: crash_lie_files_not_synced
    case .folders: crash_lie_folders_not_synced
    case .writes: crash_lie_synced_writes
    case .early, .halves, .swallow: 0
    }
  }
}

/// Reads the interposer's form of events, which is described there.
private struct EventReader {
  let bytes: [UInt8]
  var place = 0

  mutating func next() throws -> Recording.Event? {
    if place == bytes.count { return nil }
    let kind = try number(UInt8.self)
    let flags = try number(UInt8.self)
    let lengths = (Int(try number(UInt16.self)), Int(try number(UInt16.self)))
    _ = try number(UInt16.self)
    let file = try number(UInt32.self)
    _ = try number(UInt32.self)
    let offset = Int(try number(UInt64.self))
    let count = Int(try number(UInt64.self))
    let path = String(decoding: try take(lengths.0), as: UTF8.self)
    let other = String(decoding: try take(lengths.1), as: UTF8.self)
    switch kind {
    case UInt8(ascii: "C"): return .made(path: path, file: file)
    case UInt8(ascii: "F"): return .opened(path: path, file: file)
    case UInt8(ascii: "W"):
      return .wrote(
        file: file, offset: offset, bytes: Array(try take(count)), isSynced: flags & 1 != 0)
    case UInt8(ascii: "T"): return .truncated(file: file, byteCount: count)
    case UInt8(ascii: "S"): return .synced(file: file)
    case UInt8(ascii: "D"): return .syncedFolder(path: path)
    case UInt8(ascii: "R"): return .renamed(from: path, to: other)
    case UInt8(ascii: "L"): return .linked(from: path, to: other)
    case UInt8(ascii: "U"): return .removed(path: path)
    case UInt8(ascii: "M"): return .madeFolder(path: path)
    case UInt8(ascii: "A"): return .acknowledged(offset)
    default: throw Finding("the recording has an event of kind \(kind)")
    }
  }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard place + count <= bytes.count else { throw Finding("the recording is cut off") }
    defer { place += count }
    return bytes[place..<place + count]
  }

  private mutating func number<N: FixedWidthInteger>(_: N.Type) throws -> N {
    try take(MemoryLayout<N>.size).withUnsafeBytes { $0.loadUnaligned(as: N.self) }
  }
}
