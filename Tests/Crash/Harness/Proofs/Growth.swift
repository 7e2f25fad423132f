import FolioStore
import TestSupport

/// The file of a store does not grow while the same is written again and again beside readers.
struct Growth {
  let settings: Settings

  /// Overwrites; says how often.
  func run() throws -> Int {
    guard settings.part == 0 else { return 0 }
    let scratch = try TemporaryFolder("growth")
    let stage = Stage(scratch.path + "/run", seed: settings.seed)
    try Trial.clear(scratch)
    let subject = ClientSubject(stage)
    for step in 0..<settings.steps { try subject.perform(step) }
    let store = try subject.store()
    defer { subject.close() }
    try overwrite(store, 0..<200)
    let before = try store.size().fileByteCount
    if settings.wrong == .halves {
      // A reader that never ends.
      try store.read { _ in try overwrite(store, 0..<settings.count) }
    } else {
      try overwrite(store, 0..<settings.count)
    }
    let after = try store.size().fileByteCount
    guard after <= before + 1 << 17 else {
      throw Finding("the file grew from \(before) to \(after) bytes")
    }
    if let problem = try subject.problems().first { throw Finding("a rule is broken: \(problem)") }
    return settings.count
  }

  /// Writes the same places again; of each ten times, eight happen while somebody reads.
  private func overwrite(_ store: Store, _ times: Range<Int>) throws {
    var next = times.lowerBound
    func writeOnce() throws {
      let bytes = [UInt8](repeating: UInt8(next % 251), count: 6_000)
      try store.write { try $0.setSetting("place\(next % 3)", to: bytes) }
      next += 1
    }
    while next < times.upperBound {
      try store.read { _ in
        for _ in 0..<8 { try writeOnce() }
      }
      for _ in 0..<2 { try writeOnce() }
    }
  }
}
