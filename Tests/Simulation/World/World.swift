import FolioDomain
import FolioGateway
import FolioServer
import FolioSystem
import FolioWire
import LMDB
import TestSupport

/// Devices and a server in one thread, with nothing beside them that decides anything: every clock,
/// connection, random number and fault follows from the seed.
final class World {
  let course: Course
  let story: Story
  var random: SeededRandom
  var counts = Counts()
  let server: SimulatedServer
  private(set) var devices: [SimulatedDevice] = []
  var links: [Link] = []
  /// What was saved, by the transaction's id: its operations, as they were when they were saved.
  var saved: [TransactionID: [FolioDomain.Operation]] = [:]
  /// Milliseconds since the world began.
  private(set) var time: Int64 = 0
  /// How far the server's clock is from the true time.
  var serverSkew: Int64 = 0
  /// Whether the server went back and does not know it, as only a virtual machine's does: it keeps
  /// the ids of its log and its market, so that the same place stands for two things.
  var wasSetBackUnawares = false

  /// Whether clocks may be behind by weeks and years: each quarter of a day since the first of all
  /// transactions has its snapshot on each device, and their making takes most of a course then.
  private let hasClocksFarBehind: Bool

  /// The true time of the beginning: 2026-01-05T01:00:00Z.
  static let beginning = Timestamp(milliseconds: 1_767_574_800_000)
  static let hour: Int64 = 3_600_000
  static let year: Int64 = 365 * 24 * hour

  init(_ course: Course) {
    self.course = course
    story = Story(isKept: course.tellsStory)
    random = SeededRandom(seed: course.seed)
    hasClocksFarBehind = random.one(in: 12)
    var limits = Limits()
    if !random.one(in: 3) {
      limits.entries = random.int(1...6)
      limits.inFlight = random.int(1...4)
    }
    do {
      server = try SimulatedServer(
        clock: ManualClock(Self.beginning), limits: limits, seed: random.next(),
        flaw: course.flaw)
      for _ in 0..<random.int(3...4) { try addDevice() }
    } catch {
      fatalError("a world without faults cannot begin: \(error)")
    }
  }

  var now: MonotonicTime { MonotonicTime(nanoseconds: time * 1_000_000) }
  var elapsed: Duration { .milliseconds(time) }

  /// Moves time on; deadlines that pass are noticed.
  func advance(_ milliseconds: Int64) throws {
    guard milliseconds > 0 else { return }
    time += milliseconds
    setClocks()
    for device in devices { try noticeTime(device) }
    server.hub?.advance(at: elapsed)
    collect()
  }

  func setClocks() {
    let now = Self.beginning.adding(milliseconds: time)
    for device in devices { device.clock.set(now.adding(milliseconds: device.skew)) }
    server.clock.set(now.adding(milliseconds: serverSkew))
  }

  // MARK: Devices

  /// A device with an empty store, or one whose disk is a copy of another's.
  func addDevice(copying original: SimulatedDevice? = nil) throws {
    let device = try SimulatedDevice(
      devices.count, clock: ManualClock(Self.beginning), skew: randomSkew(),
      seed: random.next(), on: original?.disk.copied(), flaw: course.flaw)
    devices.append(device)
    setClocks()
  }

  /// How wrong a clock is: mostly not, else by seconds to years.
  func randomSkew() -> Int64 {
    switch random.int(0...(hasClocksFarBehind ? 9 : 6)) {
    case 0...3: 0
    case 4: Int64(random.int(-90_000...90_000))
    case 5: Int64(random.int(-20...20)) * Self.hour
    case 6: random.one(in: 2) ? 64 * Self.year : Int64(random.int(0...7)) * Self.year
    case 7: Int64(random.int(-40...40)) * 24 * Self.hour
    case 8: -Int64(random.int(1...7)) * Self.year
    default: -56 * Self.year
    }
  }

  // MARK: The course

  /// A random course of edits, syncs and faults.
  func run() throws {
    for _ in 0..<random.int(20...50) {
      try carryOn()
      try act()
    }
  }

  /// Lets connections go on for a while.
  private func carryOn() throws {
    if random.one(in: 4) { return }
    if random.one(in: 2) { return try settle() }
    for _ in 0..<random.int(1...25) {
      guard try deliverSomething() else { return }
      try advance(Int64(random.int(0...60)))
    }
  }

  private func act() throws {
    let device = random.pick(devices)
    switch random.int(0...21) {
    case 0...6: for _ in 0..<random.int(1...3) { try edit(device) }
    case 7...12: try beginSync(device)
    case 13: try passTime()
    case 14: try trade()
    case 15...18: try breakConnection()
    case 19: try troubleDevice(device)
    case 20: try troubleServer()
    default: try troubleClocks(device)
    }
  }

  private func passTime() throws {
    if random.one(in: 2) { try settle() }
    switch random.int(0...3) {
    case 0: try advance(Int64(random.int(1...50)) * 1_000)
    case 1: try advance(Int64(random.int(1...90)) * 60_000)
    default: try advance(Int64(random.int(1...20)) * Self.hour)
    }
    story.tell(1, Int(time), line: "time passes: \(server.clock.now().text)")
  }
}
