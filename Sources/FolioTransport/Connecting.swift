public import FolioSystem

extension ServerURL {
  /// Connects to the server, or starts its command.
  ///
  /// Blocks for at most `timeout`. A command that cannot be run shows only by its end: the first
  /// read gives the end, and `DescriptorConnection.child` how it ended.
  ///
  /// - Parameters:
  ///   - timeout: How long connecting may take.
  ///   - variables: For a command, the environment variables to set beside those of this process.
  ///   - clock: By which deadlines are kept.
  public func connect(
    timeout: Duration = .seconds(10), variables: [String: String] = [:],
    clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(TransportError) -> DescriptorConnection {
    switch self {
    case .command(let command):
      try ChildProcess.start(command, variables: variables, clock: clock)
    case .tcp(let address):
      try address.connect(timeout: timeout, clock: clock)
    }
  }
}

extension LoopbackAddress {
  /// Connects over TCP.
  ///
  /// Blocks for at most `timeout`.
  ///
  /// - Throws: `TransportError.refused` where nobody listens, `.connectTimedOut`, `.unreachable`.
  public func connect(
    timeout: Duration = .seconds(10), clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(TransportError) -> DescriptorConnection {
    let deadline = clock.now() + timeout
    var failure = TransportError.refused(address: description)
    for address in socketAddresses {
      do throws(ConnectFailure) {
        let descriptor = try connectSocket(address, until: deadline, clock)
        callSendAtOnce(descriptor)
        return try makeConnection(descriptor, clock)
      } catch {
        switch error {
        case .timedOut: throw .connectTimedOut(address: description, after: timeout)
        case .transport(let error): throw error
        case .system(let error): failure = named(error)
        }
      }
    }
    throw failure
  }

  private func makeConnection(
    _ descriptor: Int32, _ clock: any MonotonicClock
  ) throws(ConnectFailure) -> DescriptorConnection {
    do throws(TransportError) {
      return try DescriptorConnection(
        reading: descriptor, writing: descriptor, peer: "tcp://\(self)", clock: clock)
    } catch {
      throw .transport(error)
    }
  }

  private func named(_ error: Errno) -> TransportError {
    switch error {
    case .connectionRefused: .refused(address: description)
    case .tooManyFiles, .tooManyFilesInSystem: .tooManyFiles
    default: .unreachable(address: description, errno: error)
    }
  }
}

private enum ConnectFailure: Error {
  case timedOut
  case system(Errno)
  case transport(TransportError)
}

/// A connected socket; the caller closes it.
private func connectSocket(
  _ address: SocketAddress, until deadline: MonotonicTime, _ clock: any MonotonicClock
) throws(ConnectFailure) -> Int32 {
  let descriptor: Int32
  do throws(Errno) {
    descriptor = try callSocket(address.family)
  } catch {
    throw .system(error)
  }
  do throws(Errno) {
    let isConnected = try finishConnecting(descriptor, address, until: deadline, clock)
    if isConnected { return descriptor }
  } catch {
    callClose(descriptor)
    throw .system(error)
  }
  callClose(descriptor)
  throw .timedOut
}

/// Whether the socket got connected before the deadline.
private func finishConnecting(
  _ descriptor: Int32, _ address: SocketAddress, until deadline: MonotonicTime,
  _ clock: any MonotonicClock
) throws(Errno) -> Bool {
  if try callConnect(descriptor, address) { return true }
  var entries = [Readiness(descriptor, read: false, write: true)]
  while true {
    let now = clock.now()
    try callPoll(&entries, pollMilliseconds(until: deadline, now: now))
    if entries[0].isWritable { break }
    if now >= deadline { return false }
  }
  try callFinishConnecting(descriptor)
  return true
}
