#if os(Linux)
  import CSystem
  internal import FolioSystem
  import Glibc

  /// Linux's own poller: its cost grows with what is ready, however many connections are idle.
  final class EpollPoller: Poller {
    private static let eventCountMax = 256
    private let descriptor: Int32
    private var list = [epoll_event](repeating: epoll_event(), count: eventCountMax)
    /// Plain files, which epoll refuses: they are always ready.
    private var files: [UInt64: Interest] = [:]

    init() throws(Errno) {
      descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
      if descriptor < 0 { throw Errno(rawValue: errno) }
    }

    func set(
      _ target: Int32, token: UInt64, from old: Interest, to new: Interest
    ) throws(Errno) {
      if old == new { return }
      if files[token] != nil {
        files[token] = new.isEmpty ? nil : new
        return
      }
      var event = epoll_event()
      event.data.u64 = token
      if new.contains(.read) { event.events |= EPOLLIN.rawValue }
      if new.contains(.write) { event.events |= EPOLLOUT.rawValue }
      // What nobody waits for is taken out: a broken descriptor is reported whatever was asked.
      let operation = new.isEmpty ? EPOLL_CTL_DEL : old.isEmpty ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
      if epoll_ctl(descriptor, operation, target, &event) < 0 {
        guard errno == EPERM, operation == EPOLL_CTL_ADD else { throw Errno(rawValue: errno) }
        files[token] = new
      }
    }

    func wait(milliseconds: Int32, into events: inout [ReadyEvent]) throws(Errno) {
      for (token, interest) in files {
        events.append(ReadyEvent(token: token, interest: interest))
      }
      let timeout = events.isEmpty ? milliseconds : 0
      let count = epoll_wait(descriptor, &list, Int32(Self.eventCountMax), timeout)
      if count < 0 {
        if errno == EINTR { return }
        throw Errno(rawValue: errno)
      }
      for event in list[..<Int(count)] {
        let isBroken = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        var interest: Interest = []
        if isBroken || event.events & EPOLLIN.rawValue != 0 { interest.insert(.read) }
        if isBroken || event.events & EPOLLOUT.rawValue != 0 { interest.insert(.write) }
        events.append(ReadyEvent(token: event.data.u64, interest: interest))
      }
    }

    func close() { _ = Glibc.close(descriptor) }
  }
#endif
