import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// Devices and a server under a random course of edits, cuts and losses.
@Suite("Random courses")
struct RandomCourseTests {
  /// Everything that a course is about.
  struct Course {
    var random: SeededRandom
    let server = FakeServer()
    var devices: [MemoryStorage] = []
    /// Every transaction that was ever made.
    var made: Set<UInt128> = []
    var losses = 0
    var story: [String] = []
    private var nextID: UInt128 = 0

    init(seed: UInt64) {
      random = SeededRandom(seed: seed)
      for index in 1...3 as ClosedRange<UInt128> {
        devices.append(MemoryStorage(device: index))
        devices[devices.count - 1].nextIdentity = index << 32
      }
      server.pageEntries = random.int(1...5)
      server.limits.entries = random.int(1...6)
      server.limits.inFlight = random.int(1...4)
    }

    mutating func edit(_ index: Int) {
      nextID += 1
      devices[index].edit("{\"n\":\(nextID)}", id: nextID)
      made.insert(nextID)
      story.append("edit \(index): \(nextID)")
    }

    /// A sync that may be cut, and that may have to be asked for again.
    mutating func sync(_ index: Int, isCut: Bool) throws {
      var conversation = Conversation(devices[index], server)
      if isCut { conversation.bytesUntilCut = random.int(0...6_000) }
      story.append("sync \(index), cut \(conversation.bytesUntilCut ?? -1)")
      do {
        try conversation.sync()
      } catch is Conversation.Cut {
        story.append("was cut")
      } catch let error as SyncError where error.isRetryable {
        story.append("\(error)")
      }
      // A day passes: what is counted here is not how often logs may part.
      devices[index].state.recentDivergences = 0
    }

    mutating func lose() {
      losses += 1
      // A device that has read nothing cannot know that an account made anew is not its own.
      if random.one(in: 3), devices.allSatisfy({ !$0.log.isEmpty }) {
        story.append("emptied")
        server.empty(account: 0xf00 + UInt64(losses))
      } else {
        let count = random.int(0...server.log.count)
        story.append("back to \(count) of \(server.log.count)")
        server.rollBack(to: count)
      }
    }

    /// A device's folder is copied, and the copy used in place of another device.
    mutating func copy() {
      let (from, to) = (random.int(0...2), random.int(0...2))
      // What only the replaced device held would be gone with it, whoever is to blame.
      let held = Set(devices[to].log.map(\.entry.transaction.id))
      guard from != to, devices[to].pendingTransactions.isEmpty,
        held.isSubset(of: devices[from].log.map(\.entry.transaction.id))
      else { return }
      story.append("copy \(from) over \(to)")
      let copy = MemoryStorage(device: 0)
      copy.state = devices[from].state
      copy.log = devices[from].log
      copy.pendingTransactions = devices[from].pendingTransactions
      copy.staged = devices[from].staged
      copy.nextIdentity = devices[to].nextIdentity + 1_000
      devices[to] = copy
    }
  }

  @Test("F05 F06 F14 F22 Whatever happens, all devices end alike, with everything, once")
  func courses() throws {
    var seeds = SeededRandom()
    for _ in 0..<150 {
      let seed = seeds.next()
      var course = Course(seed: seed)
      do {
        try run(&course)
      } catch {
        Issue.record("seed \(seed): \(error)\n\(course.story.joined(separator: "\n"))")
        return
      }
    }
  }

  private func run(_ course: inout Course) throws {
    for _ in 0..<course.random.int(10...40) {
      let index = course.random.int(0...2)
      switch course.random.int(0...9) {
      case 0...3: course.edit(index)
      case 4...5: try course.sync(index, isCut: true)
      case 6...7: try course.sync(index, isCut: false)
      case 8 where course.losses < 3: course.lose()
      case 9 where course.random.one(in: 3): course.copy()
      default: break
      }
    }
    // Rest: a bounded number of rounds, and nothing is left to do.
    for _ in 0..<4 {
      for index in 0..<3 { try course.sync(index, isCut: false) }
    }
    let (server, story) = (course.server, course.story.joined(separator: "\n"))
    let accepted = server.log.filter { $0.entry.kind == .accepted }
      .map(\.entry.transaction.id.value)
    #expect(
      Set(accepted) == course.made,
      "lost: \(course.made.subtracting(accepted)), seed \(course.random.seed)\n\(story)")
    #expect(accepted.count == course.made.count, "none twice\n\(story)")
    for device in course.devices {
      #expect(device.log == server.log, "\(story)")
      #expect(device.pendingTransactions.isEmpty, "\(story)")
      #expect(device.staged == nil, "\(story)")
    }
  }
}
