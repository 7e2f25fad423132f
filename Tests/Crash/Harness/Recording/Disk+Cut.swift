import FolioSystem
import TestSupport

extension Disk {
  /// How much of what was pending reached the device.
  private enum Share {
    /// The first changes, the one after them torn.
    case first(Double)
    /// Each sector with that likelihood.
    case each(Double)

    init(_ random: inout SeededRandom) {
      switch random.int(0...5) {
      case 0: self = .each(0)
      case 1: self = .each(1)
      case 2: self = .first(Double(random.int(0...100)) / 100)
      case 3: self = .each(0.5)
      case 4: self = .each(0.1)
      default: self = .each(0.9)
      }
    }
  }

  /// Writes a state that a power cut could leave into a folder: any part of what was pending, in
  /// sectors, and any part of the names.
  ///
  /// - Parameters:
  ///   - event: What was under way when the power went.
  ///   - random: What the choice follows from.
  ///   - folder: A folder that is empty.
  func cut(
    during event: Recording.Event?, _ random: inout SeededRandom, into folder: String
  ) throws {
    var disk = self
    if let event { disk.begin(event) }
    let names = disk.someNames(&random)
    var contents: [UInt32: [UInt8]] = [:]
    for (path, node) in names.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    where Self.isReachable(path, names) {
      switch node {
      case .folder: try Files.makeFolder(folder + "/" + path)
      case .file(let file):
        let bytes = contents[file] ?? disk.someBytes(of: file, &random)
        contents[file] = bytes
        try Files.write(bytes, to: folder + "/" + path)
      }
    }
  }

  /// Counts what was under way as pending.
  private mutating func begin(_ event: Recording.Event) {
    switch event {
    case .wrote(let file, let offset, let bytes, _):
      apply(.wrote(file: file, offset: offset, bytes: bytes, isSynced: false))
    case .synced, .syncedFolder, .acknowledged: break
    default: apply(event)
    }
  }

  private static func isReachable(_ path: String, _ names: [String: Node]) -> Bool {
    path.parent.isEmpty || (names[path.parent] == .folder && isReachable(path.parent, names))
  }

  /// The names that reached the device: the first changes, as where a journal keeps their order, or
  /// any.
  private func someNames(_ random: inout SeededRandom) -> [String: Node] {
    var names = names
    let keepsOrder = random.int(0...3) > 0
    let count = random.int(0...pendingNames.count)
    for (index, naming) in pendingNames.enumerated() {
      if keepsOrder ? index < count : random.one(in: 2) { names.apply(naming) }
    }
    return names
  }

  private func someBytes(of file: UInt32, _ random: inout SeededRandom) -> [UInt8] {
    guard let file = files[file] else { return [] }
    var bytes = file.durable
    let share = Share(&random)
    for (index, change) in file.pending.enumerated() {
      switch change {
      case .truncate: if random.one(in: 2) { bytes.apply(change) }
      case .write(let offset, let written):
        for sector in Self.sectors(offset, written)
        where isThere(share, index, of: file.pending.count, &random) {
          bytes.apply(sector)
        }
      }
    }
    // The length is a thing of its own: it can be on the device before the bytes are.
    if random.one(in: 4) { bytes.grow(to: file.current.count) }
    if random.one(in: 4), bytes.count > file.durable.count {
      bytes.removeLast(bytes.count - file.durable.count)
    }
    return bytes
  }

  private func isThere(
    _ share: Share, _ index: Int, of count: Int, _ random: inout SeededRandom
  ) -> Bool {
    switch share {
    case .each(let likelihood): return Double(random.int(0...999)) < likelihood * 1_000
    case .first(let part):
      let last = Int(part * Double(count))
      return index < last || (index == last && random.one(in: 2))
    }
  }

  /// A write in parts that each reach the device whole or not at all.
  private static func sectors(_ offset: Int, _ bytes: [UInt8]) -> [Change] {
    var sectors: [Change] = []
    var start = 0
    while start < bytes.count {
      let end = min(
        bytes.count, ((offset + start) / sectorByteCount + 1) * sectorByteCount - offset)
      sectors.append(.write(offset: offset + start, bytes: Array(bytes[start..<end])))
      start = end
    }
    return sectors
  }
}
