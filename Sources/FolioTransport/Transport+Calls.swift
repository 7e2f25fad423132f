// The only file of this module that calls C, but for the poller of Linux. Each function is one
// call, or one made again while a signal interrupts it.

internal import FolioSystem

#if canImport(Glibc)
  import CSystem
  import Glibc
#else
  import Darwin
#endif

private func retrying<Result: SignedInteger>(
  _ call: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw Errno(rawValue: code) }
  }
}

private func checked(_ result: Int32) throws(Errno) {
  if result < 0 { throw Errno(rawValue: errno) }
}

// MARK: Waiting

/// One descriptor to wait for, and what was found.
struct Readiness {
  var descriptor: Int32
  var wantsRead: Bool
  var wantsWrite: Bool
  var isReadable = false
  var isWritable = false

  init(_ descriptor: Int32, read: Bool, write: Bool) {
    self.descriptor = descriptor
    wantsRead = read
    wantsWrite = write
  }
}

/// Waits until one of `entries` is ready or `milliseconds` have passed; below 0 it waits for ever.
///
/// A broken descriptor counts as ready for what was asked, so that the next call names its error.
/// An interrupting signal ends the wait early.
func callPoll(_ entries: inout [Readiness], _ milliseconds: Int32) throws(Errno) {
  var list = entries.map { entry in
    pollfd(
      fd: entry.wantsRead || entry.wantsWrite ? entry.descriptor : -1,
      events: Int16((entry.wantsRead ? POLLIN : 0) | (entry.wantsWrite ? POLLOUT : 0)), revents: 0)
  }
  if poll(&list, nfds_t(list.count), milliseconds) < 0 {
    let code = errno
    if code == EINTR { return }
    throw Errno(rawValue: code)
  }
  for (index, entry) in list.enumerated() {
    let events = Int32(entry.revents)
    let isBroken = events & (POLLERR | POLLHUP | POLLNVAL) != 0
    entries[index].isReadable = entries[index].wantsRead && (events & POLLIN != 0 || isBroken)
    entries[index].isWritable = entries[index].wantsWrite && (events & POLLOUT != 0 || isBroken)
  }
}

/// Milliseconds from now to `deadline`, rounded up, as `poll` takes them: -1 is for ever.
func pollMilliseconds(until deadline: MonotonicTime, now: MonotonicTime) -> Int32 {
  if deadline == .distantFuture { return -1 }
  if deadline <= now { return 0 }
  // Rounded up, lest the last part of a millisecond be spent turning in circles.
  return Int32(clamping: (deadline - now + .nanoseconds(999_999)).wholeMilliseconds)
}

func callSleep(milliseconds: Int32) {
  _ = poll(nil, 0, milliseconds)
}

// MARK: Descriptors

func callClose(_ descriptor: Int32) {
  // Whatever it says, the descriptor is gone.
  _ = close(descriptor)
}

/// Reads once; nil where nothing is there at this moment, 0 at the end.
func callRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int? {
  do throws(Errno) {
    return try retrying { read(descriptor, buffer.baseAddress, buffer.count) }
  } catch .wouldBlock {
    return nil
  }
}

/// Writes once; nil where nothing is taken at this moment.
func callWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int? {
  do throws(Errno) {
    return try retrying { write(descriptor, bytes.baseAddress, bytes.count) }
  } catch .wouldBlock {
    return nil
  }
}

func callFlags(_ descriptor: Int32) throws(Errno) -> Int32 {
  try retrying { fcntl(descriptor, F_GETFL) }
}

func callSetFlags(_ descriptor: Int32, _ flags: Int32) throws(Errno) {
  _ = try retrying { fcntl(descriptor, F_SETFL, flags) }
}

func callSetNonblocking(_ descriptor: Int32) throws(Errno) {
  try callSetFlags(descriptor, try callFlags(descriptor) | O_NONBLOCK)
}

func callIsTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

func callHasControllingTerminal() -> Bool {
  let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC)
  if descriptor >= 0 { close(descriptor) }
  return descriptor >= 0
}

/// A pipe whose ends are closed in programs started later, and are none of 0, 1 and 2: what a
/// started program gets is copied onto those, and must not overwrite what is still to be copied.
func callPipe() throws(Errno) -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  #if os(Linux)
    try checked(pipe2(&ends, O_CLOEXEC))
  #else
    try checked(pipe(&ends))
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
  #endif
  do throws(Errno) {
    for index in 0...1 where ends[index] < 3 {
      let moved = try retrying { fcntl(ends[index], F_DUPFD_CLOEXEC, 3) }
      close(ends[index])
      ends[index] = moved
    }
  } catch {
    close(ends[0])
    close(ends[1])
    throw error
  }
  return (ends[0], ends[1])
}

/// Gives a pipe room for more bytes, where the system can and grants it; it works without.
func callWidenPipe(_ descriptor: Int32, to byteCount: Int32) {
  #if os(Linux)
    _ = fcntl(descriptor, folio_set_pipe_size, byteCount)
  #endif
}

// MARK: Sockets

private let streamType = { () -> Int32 in
  #if os(Linux)
    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  #else
    SOCK_STREAM
  #endif
}()

/// What Linux sets as it makes a socket has to be set afterwards elsewhere.
private func prepare(_ descriptor: Int32) throws(Errno) {
  #if !os(Linux)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    try callSetNonblocking(descriptor)
  #endif
}

func callSocketPair() throws(Errno) -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  try checked(socketpair(AF_UNIX, streamType, 0, &ends))
  try prepare(ends[0])
  try prepare(ends[1])
  return (ends[0], ends[1])
}

/// An address of the loopback interface, as a socket takes it.
enum SocketAddress {
  case ipv4(address: UInt32, port: UInt16)
  case ipv6Loopback(port: UInt16)

  var family: Int32 {
    switch self {
    case .ipv4: AF_INET
    case .ipv6Loopback: AF_INET6
    }
  }

  func withPointer<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    switch self {
    case .ipv4(let address, let port):
      var socket = sockaddr_in()
      socket.sin_family = sa_family_t(AF_INET)
      socket.sin_addr.s_addr = address.bigEndian
      socket.sin_port = port.bigEndian
      return try rebound(&socket, body)
    case .ipv6Loopback(let port):
      var socket = sockaddr_in6()
      socket.sin6_family = sa_family_t(AF_INET6)
      socket.sin6_addr = in6addr_loopback
      socket.sin6_port = port.bigEndian
      return try rebound(&socket, body)
    }
  }
}

private func rebound<Address, Result>(
  _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Result
) throws(Errno) -> Result {
  let outcome = withUnsafePointer(to: &address) { pointer -> Swift.Result<Result, Errno> in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socket in
      do throws(Errno) {
        return .success(try body(socket, socklen_t(MemoryLayout<Address>.size)))
      } catch {
        return .failure(error)
      }
    }
  }
  return try outcome.get()
}

func callSocket(_ family: Int32) throws(Errno) -> Int32 {
  let descriptor = try retrying { socket(family, streamType, 0) }
  try prepare(descriptor)
  return descriptor
}

/// Starts to connect; false where it takes longer than this call.
func callConnect(_ descriptor: Int32, _ address: SocketAddress) throws(Errno) -> Bool {
  try address.withPointer { (pointer, length) throws(Errno) in
    if connect(descriptor, pointer, length) == 0 { return true }
    let code = errno
    // After a signal connecting goes on by itself, as it does for a socket that does not block.
    if code == EINPROGRESS || code == EINTR { return false }
    throw Errno(rawValue: code)
  }
}

/// Throws what connecting came to, once the socket is writable.
func callFinishConnecting(_ descriptor: Int32) throws(Errno) {
  var code: Int32 = 0
  var length = socklen_t(MemoryLayout<Int32>.size)
  try checked(getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length))
  if code != 0 { throw Errno(rawValue: code) }
}

func callListen(_ descriptor: Int32, _ address: SocketAddress) throws(Errno) {
  var on: Int32 = 1
  try checked(
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size)))
  try address.withPointer { (pointer, length) throws(Errno) in
    try checked(bind(descriptor, pointer, length))
  }
  try checked(listen(descriptor, Int32(SOMAXCONN)))
}

/// The port that a socket is bound to.
func callPort(_ descriptor: Int32) throws(Errno) -> UInt16 {
  var storage = sockaddr_storage()
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  let result = withUnsafeMutablePointer(to: &storage) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      getsockname(descriptor, $0, &length)
    }
  }
  try checked(result)
  // The port stands at the same place for both families.
  return withUnsafeBytes(of: &storage) {
    UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
  }
}

/// A connection that waits to be accepted; nil where none does.
func callAccept(_ descriptor: Int32) throws(Errno) -> Int32? {
  do throws(Errno) {
    #if os(Linux)
      return try retrying {
        accept4(
          descriptor, nil, nil,
          Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue))
      }
    #else
      let accepted = try retrying { accept(descriptor, nil, nil) }
      try prepare(accepted)
      return accepted
    #endif
  } catch .wouldBlock {
    return nil
  }
}

/// Sends small messages at once; a connection without it still works, only slower.
func callSendAtOnce(_ descriptor: Int32) {
  var on: Int32 = 1
  setsockopt(
    descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
}

/// Tells the peer that no more bytes come; false for what is no socket.
func callShutdownWriting(_ descriptor: Int32) -> Bool {
  shutdown(descriptor, Int32(SHUT_WR)) == 0
}
