package import FolioDomain
package import FolioSystem
package import FolioTransport
import FolioWire

/// Runs a sync on the caller's thread: connects, carries the bytes of sessions, and connects again
/// where a connection came to nothing more.
///
/// It blocks, at most until a deadline of its own passes or the sync is cancelled. What was stored
/// before an error stays; a later sync goes on from there.
package struct SyncDriver {
  /// Connects to the server.
  package typealias Connect = () throws -> any ByteConnection

  /// How many attempts are made where the server never answered, so that a wrong address is soon told.
  private static let firstAttemptsMax = 3

  private let storage: any SyncStorage
  private let options: SyncOptions
  private let connect: Connect
  private let clock: any WallClock
  private let monotonic: any MonotonicClock
  private let random: any RandomSource
  private let cancellation: SyncCancellation
  private let progress: (SyncProgress) -> Void

  /// How this thread waits; a test moves its clock instead.
  var pause: (Duration) -> Void = sleepThread

  private var memory = SyncMemory()
  private var backoff: Backoff

  /// A sync that has not begun.
  ///
  /// - Parameters:
  ///   - storage: The client's state. Its errors end the sync and are thrown as they are.
  ///   - connect: Called for each connection; it blocks for at most a few seconds.
  ///   - cancellation: With which another thread may end the sync.
  ///   - progress: Called on this thread, often.
  package init(
    storage: any SyncStorage, options: SyncOptions, clock: any WallClock,
    monotonic: any MonotonicClock = SystemMonotonicClock(), random: any RandomSource,
    cancellation: SyncCancellation = SyncCancellation(),
    progress: @escaping (SyncProgress) -> Void = { _ in }, connect: @escaping Connect
  ) {
    self.storage = storage
    self.options = options
    self.connect = connect
    self.clock = clock
    self.monotonic = monotonic
    self.random = random
    self.cancellation = cancellation
    self.progress = progress
    backoff = Backoff(attemptsMax: options.attemptsMax)
  }

  /// Syncs, and returns once the server's log and the store's are the same.
  ///
  /// - Throws: `SyncError`, and what the storage throws.
  package mutating func run() throws -> SyncSummary {
    while true {
      let before = memory.progressCount
      let outcome = try attempt()
      if memory.progressCount > before { backoff.noteProgress() }
      switch outcome {
      case .finished: return memory.summary
      case .again: continue
      case .failed(let error as SyncError): try wait(after: error)
      case .failed(let error): throw error
      }
    }
  }

  /// Waits before the next attempt, or throws where there is none.
  private mutating func wait(after error: SyncError) throws {
    if cancellation.isCancelled { throw SyncError.cancelled }
    guard error.isRetryable else { throw error }
    if let attemptsMax = options.attemptsMax {
      backoff.attemptsMax =
        memory.hasMetServer ? attemptsMax : min(attemptsMax, Self.firstAttemptsMax)
    }
    let milliseconds = backoff.next(
      retryAfter: error.retryAfter, isLongest: error.waitsLongest, random: random)
    guard let milliseconds else {
      throw SyncError.gaveUp(attempts: backoff.failedAttempts, last: error)
    }
    progress(.waiting(milliseconds: milliseconds, reason: error))
    let deadline = monotonic.now() + .milliseconds(milliseconds)
    guard cancellation.wait(until: deadline, monotonic, pause) else { throw SyncError.cancelled }
  }

  /// One connection, from its making to its end.
  private mutating func attempt() throws -> SyncSession.Outcome {
    let connection: any ByteConnection
    do {
      connection = try connect()
    } catch let error as TransportError {
      return .failed(SyncError.notReached(error.message))
    }
    defer { connection.close() }
    guard cancellation.begin(connection) else { return .failed(SyncError.cancelled) }
    defer { cancellation.end() }
    var session = try SyncSession(
      storage: storage, options: options, memory: memory, clock: clock, random: random,
      at: monotonic.now())
    var carrier = SessionCarrier(connection, monotonic, progress)
    let outcome = carrier.carry(&session)
    memory = session.memory
    if cancellation.isCancelled, case .failed = outcome { return .failed(SyncError.cancelled) }
    return outcome
  }
}

extension SyncError {
  /// How long the server asked to wait, in milliseconds.
  fileprivate var retryAfter: Int64? {
    if case .refused(let error) = self { error.retryAfter } else { nil }
  }

  /// Whether to wait as after many attempts.
  fileprivate var waitsLongest: Bool {
    if case .refused(let error) = self { error.response == .backOffLongest } else { false }
  }
}
