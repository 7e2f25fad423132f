import FolioDomain
import FolioServer
import FolioStore
import FolioSystem
import TestSupport

/// The file of a storage does not grow while the same is written again and again beside readers.
struct Growth {
  let kind: SubjectKind
  let settings: Settings

  /// Overwrites; says how often.
  func run() throws -> Int {
    guard settings.part == 0 else { return 0 }
    let scratch = try TemporaryFolder("growth")
    let stage = Stage(scratch.path + "/run", seed: settings.seed)
    try Trial.clear(scratch)
    let subject = kind.subject(stage)
    defer { subject.close() }
    for step in 0..<settings.steps { try subject.perform(step) }
    try overwrite(subject, 0..<200)
    let before = try subject.fileByteCount()
    if settings.wrong == .halves {
      // A reader that never ends.
      try subject.reading { try overwrite(subject, 0..<settings.count) }
    } else {
      try overwrite(subject, 0..<settings.count)
    }
    let after = try subject.fileByteCount()
    guard after <= before + 1 << 17 else {
      throw Finding("the file grew from \(before) to \(after) bytes")
    }
    if let problem = try subject.problems().first { throw Finding("a rule is broken: \(problem)") }
    return settings.count
  }

  /// Writes the same places again; of each ten times, eight happen while somebody reads.
  private func overwrite(_ subject: any Subject, _ times: Range<Int>) throws {
    var next = times.lowerBound
    while next < times.upperBound {
      try subject.reading {
        for _ in 0..<8 {
          try subject.overwrite(next)
          next += 1
        }
      }
      for _ in 0..<2 {
        try subject.overwrite(next)
        next += 1
      }
    }
  }
}

extension ClientSubject {
  func overwrite(_ number: Int) throws {
    let bytes = [UInt8](repeating: UInt8(number % 251), count: 6_000)
    try store().write { try $0.setSetting("place\(number % 3)", to: bytes) }
  }

  func reading(_ body: () throws -> Void) throws { try store().read { _ in try body() } }

  func fileByteCount() throws -> Int { try store().size().fileByteCount }
}

extension ServerSubject {
  /// Corrects the tables of the same few slots, each with the same assets.
  func overwrite(_ number: Int) throws {
    var observations = PriceObservations()
    let time = stage.clock.now().adding(milliseconds: -Int64(number % 3) * 21_600_000)
    for place in 0..<200 {
      guard let price = Price(mantissa: Int64(1 + (number + place) % 251), scale: 2) else {
        continue
      }
      observations.add(
        AssetKey(type: AssetType(unchecked: "stock"), id: AssetID(unchecked: "g\(place)")), price,
        at: time)
    }
    _ = try server().storage.write(ImportPrices(observations, now: stage.clock.now()))
  }

  func reading(_ body: () throws -> Void) throws {
    try withoutActuallyEscaping(body) { try server().storage.read(Held(body: $0)) }
  }

  func fileByteCount() throws -> Int { try Files.byteCount(of: stage.data) }
}

/// A question that takes as long as something else does.
private struct Held: ServerQuery {
  let body: () throws -> Void

  func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws {
    try body()
  }
}
