import FolioDomain
import TestSupport

/// What a script's storage holds after each of its commits, as a run without any fault has it.
struct Reference {
  /// What is held after a transaction, by its number.
  private(set) var commits: [Int: Dump] = [:]
  /// The number of the last transaction of each step.
  private(set) var ends: [Int] = []
  /// The steps that made a backup, with the number of the transaction that it holds.
  private(set) var backups: [Int: Int] = [:]

  /// Follows a recording of all steps.
  init(_ recording: Recording, _ scratch: TemporaryFolder) throws {
    var disk = Disk()
    var last = 0
    for event in recording.events {
      disk.apply(event)
      switch event {
      case .wrote(let file, _, _, isSynced: true):
        // The engine's last write of a commit is the only one of its kind.
        guard disk.currentNames["store/data.mdb"] == .file(file),
          let data = disk.files[file]?.current
        else { continue }
        let dump = try Dump(data: data, scratch: scratch)
        commits[dump.transaction] = dump
        last = dump.transaction
      case .made(let path, _):
        if path.hasPrefix("backups/") { backups[ends.count] = last }
      case .acknowledged: ends.append(last)
      default: continue
      }
    }
  }

  /// The last transaction of a step; 0 before the first.
  func end(_ step: Int) -> Int {
    if step < 0 { return 0 }
    return step < ends.count ? ends[step] : ends.last ?? 0
  }
}
