import FolioCrypto
import FolioDomain
import TestSupport
import Testing

/// A random operation with a random stamp.
///
/// Operations of one stamp never occur.
private struct Stamped {
  var operation: FolioDomain.Operation
  var stamp: Stamp
}

extension SeededRandom {
  fileprivate mutating func stampedOperations(_ count: Int) -> [Stamped] {
    (0..<count).map { index in
      let time = Timestamp(milliseconds: 1_772_348_400_000 + Int64(int(0...9)) * 9_000_000)
      let stamp = Stamp(
        effectiveAt: time, device: DeviceID(UInt128(int(1...3))),
        deviceSequence: UInt64(int(1...4)), index: UInt32(index))
      return Stamped(operation: operation(), stamp: stamp)
    }
  }
}

@Suite("Laws of merging")
struct MergeLawTests {
  private func state(_ operations: some Sequence<Stamped>) -> AcceptedState {
    var state = AcceptedState()
    for each in operations { state.apply(each.operation, stamp: each.stamp) }
    return state
  }

  /// Holds [stamp-1].
  @Test("The order in which operations arrive changes nothing")
  func commutative() {
    var random = SeededRandom()
    for _ in 0..<150 {
      let operations = random.stampedOperations(random.int(0...25))
      let shuffled = operations.shuffled(using: &random)
      #expect(state(operations) == state(shuffled))
    }
  }

  @Test("Merging is commutative and associative, and the empty state is neutral")
  func associative() {
    var random = SeededRandom()
    for _ in 0..<150 {
      let operations = random.stampedOperations(random.int(0...24))
      let parts = (0..<3).map { part in
        state(operations.enumerated().filter { $0.offset % 3 == part }.map(\.element))
      }
      let (a, b, c) = (parts[0], parts[1], parts[2])
      let whole = state(operations)
      #expect(a.merged(with: b).merged(with: c) == whole)
      #expect(a.merged(with: b.merged(with: c)) == whole)
      #expect(c.merged(with: b).merged(with: a) == whole)
      #expect(a.merged(with: AcceptedState()) == a)
      #expect(AcceptedState().merged(with: a) == a)
    }
  }

  @Test("What is last-writer-wins may be merged any number of times")
  func idempotentByStamp() {
    var random = SeededRandom()
    for _ in 0..<150 {
      let operations = random.stampedOperations(random.int(0...20))
      let documents = state(operations).documents
      for (key, state) in documents {
        #expect(state.merged(with: state) == state)
        var again = state
        for each in operations where each.operation.document == key {
          again.apply(each.operation, stamp: each.stamp)
        }
        #expect(again == state)
      }
    }
  }

  @Test("F01: an entry that is applied again changes nothing")
  func idempotentByEntry() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      let log = try random.log(entryCount: random.int(1...30))
      var state = AcceptedState()
      for (index, (entry, hash)) in log.entries.enumerated() {
        state.apply(entry, hash: hash)
        let earlier = log.entries[random.int(0...index)]
        let before = state
        state.apply(earlier.entry, hash: earlier.hash)
        #expect(state == before)
      }
      #expect(state == log.state)
    }
  }

  @Test("Devices' entries may be interleaved in any way: the state is that of the set")
  func interleaving() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      let log = try random.log(entryCount: random.int(1...30))
      // Each device's entries stay in order, as its sequence demands.
      var queues = Dictionary(grouping: log.entries) { $0.entry.transaction.device }
      var state = AcceptedState()
      while !queues.isEmpty {
        let device = random.pick(queues.keys.sorted())
        guard var queue = queues[device] else { continue }
        let (entry, hash) = queue.removeFirst()
        state.apply(entry, hash: hash)
        queues[device] = queue.isEmpty ? nil : queue
      }
      #expect(state == log.state)
      #expect(state.digest(using: SHA256.self) == log.state.digest(using: SHA256.self))
    }
  }
}
