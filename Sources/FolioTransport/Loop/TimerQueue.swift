internal import FolioSystem

/// Moments in the order in which they pass, each with a number that says whose it is.
struct TimerQueue {
  struct Entry {
    var time: MonotonicTime
    var id: UInt64
  }

  /// A heap: no entry is later than the two below it.
  private var heap: [Entry] = []

  var first: Entry? { heap.first }

  mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      if heap[parent].time <= heap[index].time { return }
      heap.swapAt(parent, index)
      index = parent
    }
  }

  mutating func removeFirst() -> Entry? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if heap.isEmpty { return first }
    heap[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].time < heap[least].time { least = child }
      }
      if least == index { return first }
      heap.swapAt(least, index)
      index = least
    }
  }
}
