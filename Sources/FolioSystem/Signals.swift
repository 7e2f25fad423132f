#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A signal of the operating system, those that a program of ours answers.
public struct Signal: RawRepresentable, Hashable, Sendable {
  /// The number.
  public var rawValue: Int32

  /// The signal of that number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The terminal was closed; for a server: read the configuration again.
  public static let hangup = Signal(rawValue: SIGHUP)
  /// Ctrl-C.
  public static let interrupt = Signal(rawValue: SIGINT)
  /// A request to end.
  public static let terminate = Signal(rawValue: SIGTERM)
  /// The end, which no program can put off.
  public static let kill = Signal(rawValue: SIGKILL)
  /// A write to a pipe that nobody reads.
  public static let brokenPipe = Signal(rawValue: SIGPIPE)

  /// From now on writing where nobody reads is an error of that write, and does not end the process.
  public static func ignoreBrokenPipe() {
    systemIgnore(SIGPIPE)
  }
}

/// Signals turned into bytes of a pipe, so that a loop waits for them as for anything else.
///
/// A process has at most one at a time.
public final class SignalPipe: Sendable {
  /// Becomes readable when a signal has come; for waiting only.
  public let descriptor: FileDescriptor
  private let writing: FileDescriptor
  private let signals: [Signal]

  /// Takes these signals over until this object goes; then they do again what they do by default.
  ///
  /// This thread lets them through from now on, whatever the program that started this one blocked.
  public init(_ signals: [Signal]) throws(Errno) {
    let ends = try systemPipe()
    descriptor = FileDescriptor(ends.read)
    writing = FileDescriptor(ends.write)
    self.signals = signals
    for end in [ends.read, ends.write] {
      // The handler must never block, nor must taking what is there.
      try systemSetFlags(end, try systemFlags(end) | O_NONBLOCK)
    }
    systemSetSignalDescriptor(ends.write)
    for signal in signals {
      try systemForward(signal.rawValue)
      systemUnblock(signal.rawValue)
    }
  }

  /// Takes the signals that have come since the last time, in order; never waits.
  public func take() -> [Signal] {
    var taken: [Signal] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = buffer.withUnsafeMutableBytes { (try? descriptor.read(into: $0)) ?? 0 }
      taken += buffer[..<count].map { Signal(rawValue: Int32($0)) }
      if count < buffer.count { return taken }
    }
  }

  deinit {
    for signal in signals { systemRestoreDefault(signal.rawValue) }
    systemSetSignalDescriptor(-1)
    try? descriptor.close()
    try? writing.close()
  }
}
