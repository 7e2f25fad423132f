import Dispatch
import FolioSystem
@testable import FolioTransport
import Synchronization
import Testing

/// What a handler of a test does; whatever is nil does the default.
struct TestBehaviour: Sendable {
  var received: @Sendable ([UInt8], LoopConnection) -> Void = { bytes, connection in
    connection.send(bytes)
  }
  var inputEnded: (@Sendable (LoopConnection) -> Void)?
  var drained: (@Sendable (LoopConnection) -> Void)?
  var deadlinePassed: (@Sendable (LoopConnection) -> Void)?
  var opened: (@Sendable (LoopConnection) -> Void)?
}

/// A handler that does as it is told, and notes how its connections ended.
final class TestHandler: ConnectionHandler {
  let behaviour: TestBehaviour
  let ends: EndNotes

  init(_ behaviour: TestBehaviour, _ ends: EndNotes) {
    self.behaviour = behaviour
    self.ends = ends
  }

  func received(_ bytes: UnsafeRawBufferPointer, on connection: LoopConnection) {
    behaviour.received(Array(bytes), connection)
  }

  func inputEnded(on connection: LoopConnection) {
    if let body = behaviour.inputEnded { body(connection) } else { connection.close() }
  }

  func drained(_ connection: LoopConnection) { behaviour.drained?(connection) }

  func deadlinePassed(on connection: LoopConnection) {
    if let body = behaviour.deadlinePassed { body(connection) } else { connection.cut(.deadline) }
  }

  func ended(_ reason: ConnectionEnd, on connection: LoopConnection) { ends.note(reason) }
}

/// How connections ended, in order.
final class EndNotes: Sendable {
  private let reasons = Mutex<[ConnectionEnd]>([])
  private let signal = DispatchSemaphore(value: 0)

  func note(_ reason: ConnectionEnd) {
    reasons.withLock { $0.append(reason) }
    signal.signal()
  }

  /// How the next one ended; nil where none does in time.
  func next() -> ConnectionEnd? {
    guard signal.wait(timeout: .now() + 20) == .success else { return nil }
    return reasons.withLock { $0.removeFirst() }
  }
}

enum PollerKind: CaseIterable, Sendable {
  case system
  case portable

  func makeLoop(_ limits: EventLoop.Limits) throws -> EventLoop {
    try EventLoop(
      limits: limits, clock: SystemMonotonicClock(),
      poller: self == .system ? makePoller() : PortablePoller())
  }
}

/// A loop on a thread of its own that listens on a free port; `stop` ends it.
final class LoopServer: Sendable {
  let ends: EndNotes
  let address: LoopbackAddress
  let waker: LoopWaker
  private let thread: SystemThread

  init(
    _ kind: PollerKind = .system, limits: EventLoop.Limits = EventLoop.Limits(),
    behaviour: TestBehaviour = TestBehaviour()
  ) throws {
    let isReady = DispatchSemaphore(value: 0)
    let notes = EndNotes()
    let started = Started()
    thread = SystemThread {
      do {
        let loop = try kind.makeLoop(limits)
        let address = try loop.listen(on: LoopbackAddress(port: 0)) { connection in
          behaviour.opened?(connection)
          return TestHandler(behaviour, notes)
        }
        let waker = loop.waker
        started.value.withLock { $0 = (address, waker) }
        isReady.signal()
        try loop.run()
      } catch {
        Issue.record(error)
        isReady.signal()
      }
    }
    isReady.wait()
    ends = notes
    (address, waker) = try #require(started.value.withLock { $0 })
  }

  func connect() throws -> DescriptorConnection { try address.connect() }

  func stop() {
    waker.perform { $0.stop() }
    thread.join()
  }
}

/// Carries what a loop is reached by out of its thread.
private final class Started: Sendable {
  let value = Mutex<(address: LoopbackAddress, waker: LoopWaker)?>(nil)
}
