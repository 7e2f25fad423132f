import FolioSystem
@testable import FolioTransport
import Testing

/// Numbers from a seed, so that a failing run can be had again.
private struct Numbers {
  var state: UInt64
  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}

@Suite struct LoopQueueTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func timersComeOutInOrder(seed: UInt64) {
    var numbers = Numbers(state: seed)
    var queue = TimerQueue()
    var present: [Int64] = []
    for _ in 0..<2_000 {
      if numbers.next(below: 3) > 0 {
        let time = Int64(numbers.next(below: 500))
        queue.insert(.init(time: MonotonicTime(nanoseconds: time), id: UInt64(time)))
        present.append(time)
      } else {
        let least = present.min()
        #expect(queue.first?.time.nanoseconds == least, "seed \(seed)")
        #expect(queue.removeFirst()?.time.nanoseconds == least, "seed \(seed)")
        if let least { present.remove(at: present.firstIndex(of: least) ?? 0) }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func bytesComeOutAsTheyWentIn(seed: UInt64) {
    var numbers = Numbers(state: seed)
    var queue = OutputQueue()
    var wentIn: [UInt8] = []
    var cameOut: [UInt8] = []
    for step in 0..<3_000 {
      if numbers.next(below: 2) == 0 {
        let size = numbers.next(below: numbers.next(below: 50) == 0 ? 200_000 : 300)
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: size)
        queue.append(bytes)
        wentIn += bytes
      } else if !queue.isEmpty {
        _ = queue.consume { bytes in
          let count = numbers.next(below: bytes.count + 1)
          cameOut += bytes[..<count]
          return count
        }
      }
      if queue.byteCount != wentIn.count - cameOut.count { Issue.record("seed \(seed)") }
    }
    while !queue.isEmpty {
      _ = queue.consume { bytes in
        cameOut += bytes
        return bytes.count
      }
    }
    let isRight = cameOut == wentIn
    #expect(isRight, "seed \(seed)")
  }
}
