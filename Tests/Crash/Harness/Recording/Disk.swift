/// The files of a recording at one of its moments: what the device has for certain, and what the
/// system was told and had not brought there.
struct Disk {
  /// The smallest part of a file that reaches a device whole or not at all.
  static let sectorByteCount = 512

  /// A change of a file that is not on the device yet.
  enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(Int)
  }

  /// A change of names that is not on the device yet.
  enum Naming {
    case make(path: String, file: UInt32)
    case makeFolder(path: String)
    case rename(from: String, to: String)
    case link(from: String, to: String)
    case remove(path: String)
  }

  /// What a name leads to.
  enum Node: Hashable {
    case file(UInt32)
    case folder
  }

  struct File {
    var durable: [UInt8] = []
    var pending: [Change] = []

    /// As the system shows it while it runs.
    var current: [UInt8] {
      var bytes = durable
      for change in pending { bytes.apply(change) }
      return bytes
    }
  }

  private(set) var files: [UInt32: File] = [:]
  private(set) var names: [String: Node]
  private(set) var pendingNames: [Naming] = []

  /// A folder of a script before its first step.
  init() { names = ["backups": .folder] }

  /// What a name leads to while the system runs.
  var currentNames: [String: Node] {
    var names = names
    for naming in pendingNames { names.apply(naming) }
    return names
  }

  mutating func apply(_ event: Recording.Event) {
    switch event {
    case .made(let path, let file):
      files[file] = File()
      pendingNames.append(.make(path: path, file: file))
    case .opened(_, let file):
      if files[file] == nil { files[file] = File() }
    case .wrote(let file, let offset, let bytes, let isSynced):
      let change = Change.write(offset: offset, bytes: bytes)
      if isSynced {
        write(change, through: file)
      } else {
        files[file, default: File()].pending.append(change)
      }
    case .truncated(let file, let byteCount):
      files[file, default: File()].pending.append(.truncate(byteCount))
    case .synced(let file):
      let current = files[file]?.current ?? []
      files[file] = File(durable: current)
    case .syncedFolder(let path): sync(folder: path)
    case .renamed(let from, let to): pendingNames.append(.rename(from: from, to: to))
    case .linked(let from, let to): pendingNames.append(.link(from: from, to: to))
    case .removed(let path): pendingNames.append(.remove(path: path))
    case .madeFolder(let path): pendingNames.append(.makeFolder(path: path))
    case .acknowledged: break
    }
  }

  /// A write that is on the device when its call returns brings nothing else there.
  ///
  /// What was written to the same place before and is still pending cannot come later.
  private mutating func write(_ change: Change, through file: UInt32) {
    guard case .write(let offset, let bytes) = change else { return }
    var changed = files[file] ?? File()
    changed.durable.apply(change)
    let written = offset..<offset + bytes.count
    changed.pending = changed.pending.map { pending in
      guard case .write(let start, var old) = pending else { return pending }
      let both = written.clamped(to: start..<start + old.count)
      for place in both { old[place - start] = bytes[place - offset] }
      return .write(offset: start, bytes: old)
    }
    files[file] = changed
  }

  /// The names in a folder are on the device, in the order in which they changed.
  private mutating func sync(folder: String) {
    var left: [Naming] = []
    for naming in pendingNames {
      if naming.folders.contains(folder) { names.apply(naming) } else { left.append(naming) }
    }
    pendingNames = left
  }
}

extension Disk.Naming {
  /// The folders whose names it changes, of which one that is synced brings the change.
  fileprivate var folders: [String] {
    switch self {
    case .make(let path, _), .makeFolder(let path), .remove(let path): [path.parent]
    case .link(_, let to): [to.parent]
    case .rename(let from, let to): [from.parent, to.parent]
    }
  }
}

extension String {
  /// The folder that a path below the script's folder lies in; nothing for that folder itself.
  var parent: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(self[..<slash])
  }
}

extension [UInt8] {
  /// Makes a change of a file's bytes, which grow with zeros where it asks for more.
  mutating func apply(_ change: Disk.Change) {
    switch change {
    case .write(let offset, let bytes):
      grow(to: offset + bytes.count)
      replaceSubrange(offset..<offset + bytes.count, with: bytes)
    case .truncate(let byteCount):
      if byteCount < count { removeLast(count - byteCount) } else { grow(to: byteCount) }
    }
  }

  mutating func grow(to byteCount: Int) {
    if byteCount > count { append(contentsOf: repeatElement(0, count: byteCount - count)) }
  }
}

extension [String: Disk.Node] {
  /// Makes a change of names; one that cannot be made, since another was lost, is lost too.
  mutating func apply(_ naming: Disk.Naming) {
    switch naming {
    case .make(let path, let file): self[path] = .file(file)
    case .makeFolder(let path): if self[path] == nil { self[path] = .folder }
    case .link(let from, let to): if let node = self[from] { self[to] = node }
    case .remove(let path): self[path] = nil
    case .rename(let from, let to):
      guard let node = self[from] else { return }
      self[from] = nil
      self[to] = node
      for (path, inner) in self where path.hasPrefix(from + "/") {
        self[path] = nil
        self[to + path.dropFirst(from.count)] = inner
      }
    }
  }
}
