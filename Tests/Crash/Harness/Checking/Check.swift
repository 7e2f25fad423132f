import FolioSystem
import TestSupport

/// Holds what a fault left against what a script had acknowledged.
struct Check {
  let kind: SubjectKind
  let reference: Reference
  /// The folder, with the script's seed.
  let stage: Stage
  let scratch: TemporaryFolder
  /// Backups of steps before this one are not looked for.
  var firstBackup = 0

  /// How far a storage has come.
  enum Found: Equatable {
    /// Nothing was made yet; making it now succeeded.
    case nothing
    /// All of this step, and nothing of the next.
    case step(Int)
    /// A part of this step, which is several storage transactions.
    case within(Int)
  }

  /// Opens the storage, checks every rule, and compares all it holds.
  ///
  /// - Parameter acknowledged: The last step that was; below 0 where none was.
  /// - Throws: `Finding` where something acknowledged is missing, or something is there by half.
  func run(acknowledged: Int) throws -> Found {
    let subject = kind.subject(stage)
    defer { subject.close() }
    do {
      try subject.open()
    } catch  where subject.isAbsence(error) {
      guard acknowledged < 0 else {
        throw Finding("step \(acknowledged) was acknowledged, and there is no storage: \(error)")
      }
      try make(subject)
      return .nothing
    } catch {
      throw Finding("after step \(acknowledged) it does not open: \(error)")
    }
    let problems = try subject.problems()
    subject.close()
    let found = try progress(acknowledged, subject)
    if let problem = problems.first {
      guard case .within(let step) = found else {
        throw Finding("after step \(acknowledged) a rule is broken: \(problem)")
      }
      try repair(subject, step)
    }
    try checkBackups(acknowledged)
    return found
  }

  private func make(_ subject: any Subject) throws {
    do {
      try subject.perform(0)
    } catch {
      throw Finding("what was left of making a storage keeps one from being made: \(error)")
    }
    if let problem = try subject.problems().first {
      throw Finding("made anew, a rule is broken: \(problem)")
    }
  }

  private func progress(_ acknowledged: Int, _ subject: any Subject) throws -> Found {
    let dump = try Dump(folder: stage.store)
    let (first, last) = (reference.end(acknowledged), reference.end(acknowledged + 1))
    guard dump.transaction >= first else {
      throw Finding(
        "step \(acknowledged) was acknowledged and is lost: the last transaction is "
          + "\(dump.transaction) of \(first)")
    }
    guard dump.transaction <= last else {
      throw Finding("transaction \(dump.transaction) is there, and nobody made it")
    }
    guard reference.commits[dump.transaction]?.contents == dump.contents else {
      throw Finding("after transaction \(dump.transaction) it holds something else than it did")
    }
    if dump.transaction == first, acknowledged >= 0 { return .step(acknowledged) }
    if dump.transaction == last { return .step(acknowledged + 1) }
    if subject.isWhole(acknowledged + 1) {
      throw Finding("step \(acknowledged + 1) is there by half")
    }
    return .within(acknowledged + 1)
  }

  /// A step that breaks a rule on purpose was cut off before it had mended it.
  private func repair(_ subject: any Subject, _ step: Int) throws {
    try subject.open()
    try subject.repair()
    let problems = try subject.problems()
    subject.close()
    if let problem = problems.first {
      throw Finding("within step \(step), repaired, a rule is broken: \(problem)")
    }
  }

  /// Backups that were acknowledged are there, and one that is there is whole.
  private func checkBackups(_ acknowledged: Int) throws {
    let last = reference.backups.keys.filter {
      $0 >= firstBackup && $0 <= acknowledged
    }.max()
    var names = try Files.entries(of: stage.folder + "/backups").filter {
      !$0.hasSuffix(".partial")
    }
    if let last {
      guard names.contains("b\(last)") else {
        throw Finding("the backup of step \(last) was acknowledged and is lost")
      }
      names.removeAll { name in
        Int(name.dropFirst()).map { $0 < last && reference.backups[$0] != nil } ?? false
      }
    }
    for name in names { try checkBackup(name, isDue: name == last.map { "b\($0)" }) }
  }

  private func checkBackup(_ name: String, isDue: Bool) throws {
    guard let step = Int(name.dropFirst()) else { throw Finding("\(name) is no backup") }
    let path = stage.backup(step)
    var file = path
    if try Files.kind(of: path) == .folder {
      file = path + "/data.mdb"
      guard try Files.kind(of: file) != nil else {
        if isDue { throw Finding("the backup of step \(step) was acknowledged and is lost") }
        return
      }
    }
    let dump: Dump
    do {
      dump = try Dump(data: try Files.read(file), scratch: scratch)
    } catch {
      throw Finding("the backup of step \(step) is not whole: \(error)")
    }
    guard dump.transaction == reference.backups[step],
      reference.commits[dump.transaction]?.contents == dump.contents
    else { throw Finding("the backup of step \(step) holds something else than the storage did") }
  }
}
