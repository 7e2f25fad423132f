import FolioSystem
import FolioTransport
import FolioWire

/// Carries a session's bytes over a connection.
///
/// Sending and receiving go on together, so that two sides which both have much to say never wait for
/// each other.
struct SessionCarrier {
  private static let bufferByteCount = 262_144
  private static let patience = Duration.milliseconds(Wire.giveUpAfterMilliseconds)
  private static let farewell = Duration.seconds(2)

  private let connection: any ByteConnection
  private let monotonic: any MonotonicClock
  private let progress: (SyncProgress) -> Void
  private var unsent: [UInt8] = []
  private var sentCount = 0
  private var buffer = [UInt8](repeating: 0, count: bufferByteCount)
  private var hasReceived = false

  init(
    _ connection: any ByteConnection, _ monotonic: any MonotonicClock,
    _ progress: @escaping (SyncProgress) -> Void
  ) {
    self.connection = connection
    self.monotonic = monotonic
    self.progress = progress
  }

  /// Runs the session to its outcome.
  mutating func carry(_ session: inout SyncSession) -> SyncSession.Outcome {
    take(session.start())
    var lastSent = monotonic.now()
    while session.outcome == nil {
      let deadline = min(
        session.deadline, unsent.isEmpty ? .distantFuture : lastSent + Self.patience)
      do throws(TransportError) {
        let exchange = try connection.exchange(
          sending: unsent[sentCount...], receivingInto: &buffer, until: deadline)
        let now = monotonic.now()
        if exchange.sentCount > 0 || unsent.isEmpty { lastSent = now }
        noteSent(exchange.sentCount)
        if exchange.receivedCount > 0 {
          hasReceived = true
          let received = buffer[..<exchange.receivedCount]
          take(session.receive(received, at: now) { sendAhead(&$0) })
        }
        if exchange.isEnded { session.end(lost(.reset)) }
        if now >= session.deadline { take(session.tick(at: now)) }
        if !unsent.isEmpty, now >= lastSent + Self.patience {
          session.end(.stalled(seconds: Int(Wire.giveUpAfterMilliseconds / 1_000)))
        }
      } catch {
        session.end(lost(error))
      }
    }
    if case .failed = session.outcome {} else { flush() }
    return session.outcome ?? .finished
  }

  private mutating func take(_ outputs: [SyncSession.Output]) {
    for output in outputs {
      switch output {
      case .send(let bytes): unsent += bytes
      case .progress(let value): progress(value)
      }
    }
  }

  /// Sends as much of that as goes at once.
  private mutating func sendAhead(_ outputs: inout [SyncSession.Output]) {
    take(outputs)
    outputs = []
    if unsent.isEmpty { return }
    var nothing: [UInt8] = []
    // What goes wrong here goes wrong again with the next exchange, which ends the session by it.
    let exchange = try? connection.exchange(
      sending: unsent[sentCount...], receivingInto: &nothing, until: monotonic.now())
    noteSent(exchange?.sentCount ?? 0)
  }

  private mutating func noteSent(_ count: Int) {
    sentCount += count
    guard sentCount == unsent.count else { return }
    unsent.removeAll(keepingCapacity: true)
    sentCount = 0
  }

  /// Sends what is left, the goodbye; nothing depends on its arrival.
  private mutating func flush() {
    let rest = Array(unsent[sentCount...])
    try? connection.writeAll(rest, until: monotonic.now() + Self.farewell)
    connection.finishSending()
  }

  /// The error for a connection that ended, with how its program ended where that is known.
  private func lost(_ error: TransportError) -> SyncError {
    var text = error == .reset ? "the other side ended it" : error.message
    if let connection = connection as? DescriptorConnection, let child = connection.child {
      let deadline = monotonic.now() + .milliseconds(200)
      if let exit = child.waitForExit(until: deadline, clock: monotonic) {
        text = "its command \(exit)"
        // What a shell ends with where there is no such program, or it may not be run.
        if !hasReceived, exit == .status(127) || exit == .status(126) { return .cannotRun(text) }
      }
    }
    return hasReceived ? .connectionLost(text) : .notReached(text)
  }
}
