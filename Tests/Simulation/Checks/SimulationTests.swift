import Simulation
import Testing

/// Devices and a server under every fault that a seed brings; `make simulate` runs many more.
@Suite("Simulation")
struct SimulationTests {
  @Test("Whatever happens, all devices end alike, with everything, once")
  func courses() {
    let first = UInt64.random(in: 1...(1 << 48))
    for seed in first..<first + 50 {
      let verdict = Course(seed: seed).run()
      #expect(verdict.failure == nil, "make simulate SEED=\(seed)")
    }
  }

  @Test("A seed brings back the same course, to the byte")
  func replay() {
    for seed in 1...5 as ClosedRange<UInt64> {
      let (first, second) = (Course(seed: seed).run(), Course(seed: seed).run())
      #expect(first.digest == second.digest)
      #expect(first.failure == second.failure)
      #expect(Course(seed: seed, tellsStory: true).run().story.isEmpty == false)
    }
    #expect(Course(seed: 1).run().digest != Course(seed: 2).run().digest)
  }

  @Test("A promise broken on purpose is found within few seeds", arguments: Flaw.allCases)
  func control(flaw: Flaw) {
    let found = (1...60).first { Course(seed: $0, flaw: flaw).run().failure != nil }
    #expect(found != nil, "\(flaw) was not found")
  }
}
