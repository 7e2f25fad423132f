internal import FolioSystem

/// What to wait for on a descriptor.
struct Interest: OptionSet {
  let rawValue: UInt8
  static let read = Interest(rawValue: 1)
  static let write = Interest(rawValue: 2)
}

/// A registration that is ready; a broken descriptor is ready for whatever was asked.
struct ReadyEvent {
  var token: UInt64
  var interest: Interest
}

/// Waits for many descriptors at once.
///
/// A token names a registration and is never used again, so
/// that what was found before a descriptor was closed cannot be taken for another's.
protocol Poller: AnyObject {
  /// Changes what is waited for on `descriptor` from `old` to `new`; none is none at all.
  func set(
    _ descriptor: Int32, token: UInt64, from old: Interest, to new: Interest
  ) throws(Errno)

  /// Waits until something is ready or `milliseconds` have passed (below 0: for ever), and appends
  /// what is.
  func wait(milliseconds: Int32, into events: inout [ReadyEvent]) throws(Errno)

  /// Gives its own descriptor back.
  func close()
}

/// A poller for any system: its cost grows with the number of descriptors, ready or not.
final class PortablePoller: Poller {
  private var entries: [UInt64: (descriptor: Int32, interest: Interest)] = [:]

  func set(
    _ descriptor: Int32, token: UInt64, from old: Interest, to new: Interest
  ) throws(Errno) {
    entries[token] = new.isEmpty ? nil : (descriptor, new)
  }

  func wait(milliseconds: Int32, into events: inout [ReadyEvent]) throws(Errno) {
    let tokens = Array(entries.keys)
    var list = entries.values.map { entry in
      Readiness(
        entry.descriptor, read: entry.interest.contains(.read),
        write: entry.interest.contains(.write))
    }
    try callPoll(&list, milliseconds)
    for (token, found) in zip(tokens, list) where found.isReadable || found.isWritable {
      var interest: Interest = []
      if found.isReadable { interest.insert(.read) }
      if found.isWritable { interest.insert(.write) }
      events.append(ReadyEvent(token: token, interest: interest))
    }
  }

  func close() {}
}

/// The best poller that the system has.
func makePoller() throws(Errno) -> any Poller {
  #if os(Linux)
    try EpollPoller()
  #else
    PortablePoller()
  #endif
}
