public import FolioSystem
internal import Synchronization

/// How a program ended.
public enum ChildExit: Hashable, Sendable {
  /// By itself, with that status.
  case status(Int32)
  /// By a signal.
  case signal(Signal)
  /// It ended, and how is not known: something else in this process waited for it.
  case unknown
}

extension ChildExit: CustomStringConvertible {
  /// `ended with status 127`, `was ended by signal 15`.
  public var description: String {
    switch self {
    case .status(let status): "ended with status \(status)"
    case .signal(let signal): "was ended by signal \(signal.rawValue)"
    case .unknown: "ended"
    }
  }
}

/// A program that this process started, until it has ended and its exit is known.
public final class ChildProcess: Sendable {
  /// Its process id; once it has ended the system may give the number to another.
  public let id: Int32
  /// Whether it has a group of processes of its own, which is ended with it.
  public let ownGroup: Bool
  private let exit = Mutex<ChildExit?>(nil)

  private init(id: Int32, ownGroup: Bool) {
    self.id = id
    self.ownGroup = ownGroup
  }

  /// Starts `/bin/sh -c command`, and gives a connection to its standard streams.
  ///
  /// Its standard error is this process's. With a terminal it stays in this process's group, so
  /// that it may ask for a password there and gets Ctrl-C too; without one it gets a group of its
  /// own, so that whatever it starts can be ended with it.
  ///
  /// - Parameters:
  ///   - command: What the shell reads.
  ///   - variables: Environment variables to set beside, or over, those of this process.
  ///   - ownGroup: Whether it gets a group of its own, where that is not left to the rule above.
  public static func start(
    _ command: String, variables: [String: String] = [:], ownGroup: Bool? = nil,
    clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(TransportError) -> DescriptorConnection {
    let ownGroup = ownGroup ?? !callHasControllingTerminal()
    let pipes = try Pipes()
    let child: ChildProcess
    do throws(Errno) {
      let id = try callSpawn(
        command, input: pipes.input.read, output: pipes.output.write, ownGroup: ownGroup,
        additions: variables)
      child = ChildProcess(id: id, ownGroup: ownGroup)
    } catch {
      pipes.closeAll()
      throw .cannotStart(errno: error)
    }
    // The child alone holds its ends now, so that each side sees the other's end.
    callClose(pipes.input.read)
    callClose(pipes.output.write)
    do throws(TransportError) {
      return try DescriptorConnection(
        reading: pipes.output.read, writing: pipes.input.write, peer: "stdio:\(command)",
        child: child, clock: clock)
    } catch {
      child.end(clock: clock)
      throw error
    }
  }

  /// How it ended; nil where it still runs.
  ///
  /// It never waits.
  public func exitIfEnded() -> ChildExit? {
    exit.withLock { exit in
      if exit == nil { exit = look() }
      return exit
    }
  }

  private func look() -> ChildExit? {
    do throws(Errno) {
      switch try callWait(id) {
      case .running: return nil
      case .ended(let exit): return exit
      }
    } catch {
      return .unknown
    }
  }

  /// Waits for it to end by itself, up to the deadline; nil where it runs on.
  public func waitForExit(
    until deadline: MonotonicTime, clock: any MonotonicClock = SystemMonotonicClock()
  ) -> ChildExit? {
    var pause: Int32 = 1
    while true {
      if let exit = exitIfEnded() { return exit }
      if clock.now() >= deadline { return nil }
      callSleep(milliseconds: pause)
      pause = min(pause * 2, 20)
    }
  }

  /// Sends it a signal, and its group where that is its own; nothing happens once it has ended.
  public func send(_ signal: Signal) {
    exit.withLock { exit in
      // Held while sending: an id whose exit was taken may be another process's.
      if exit == nil { exit = look() }
      if exit == nil { callKill(id, signal, group: ownGroup) }
    }
  }

  /// Waits for it to end, and ends it where it does not: it gets `grace` to end by itself now that
  /// its input has ended, the same again after SIGTERM, and then SIGKILL.
  @discardableResult
  public func end(
    grace: Duration = .seconds(2), clock: any MonotonicClock = SystemMonotonicClock()
  ) -> ChildExit {
    for signal in [nil, .terminate, .kill] as [Signal?] {
      if let signal { send(signal) }
      if let exit = waitForExit(until: clock.now() + grace, clock: clock) { return exit }
    }
    // Not even SIGKILL: it hangs within the system, and would hang whoever waits for it.
    return .unknown
  }
}

/// The pipes to a child's standard input and from its standard output.
private struct Pipes {
  /// Room for a page of the log: the child goes on to the next while this one is looked at.
  private static let outputByteCount: Int32 = 1 << 20

  let input: (read: Int32, write: Int32)
  let output: (read: Int32, write: Int32)

  init() throws(TransportError) {
    do throws(Errno) {
      input = try callPipe()
    } catch {
      throw .of(error, operation: "make")
    }
    do throws(Errno) {
      output = try callPipe()
    } catch {
      callClose(input.read)
      callClose(input.write)
      throw .of(error, operation: "make")
    }
    callWidenPipe(output.read, to: Self.outputByteCount)
  }

  func closeAll() {
    for descriptor in [input.read, input.write, output.read, output.write] {
      callClose(descriptor)
    }
  }
}
