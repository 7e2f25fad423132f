package import FolioSystem
package import FolioTransport

/// A hub's connections on an event loop: one thread, many clients.
///
/// Everything that came in one turn of the loop is handled at its end, so that what it asks to be
/// stored is committed together.
package final class ServerLoop {
  private let hub: ServerHub
  private let loop: EventLoop
  private let start: MonotonicTime
  private var connections: [ConnectionID: LoopConnection] = [:]
  private var signals: SignalPipe?

  /// A loop that serves nobody yet.
  package init(hub: ServerHub, limits: EventLoop.Limits = EventLoop.Limits())
    throws(TransportError)
  {
    self.hub = hub
    loop = try EventLoop(limits: limits)
    start = loop.clock.now()
    loop.turnEnded = { [unowned self] in turnEnded() }
    tickLater()
  }

  private var now: Duration { loop.clock.now() - start }

  /// Listens on an address of this machine, and says which port it got.
  package func listen(on address: LoopbackAddress) throws(TransportError) -> LoopbackAddress {
    try loop.listen(on: address) { [unowned self] in accept($0) }
  }

  /// Serves standard input and output as the one connection.
  package func serveStandardStreams() throws(TransportError) {
    try loop.serveStandardStreams { [unowned self] in accept($0) }
  }

  /// Serves one end of a new connection within this process, and gives the other.
  package func servePair() throws(TransportError) -> DescriptorConnection {
    try loop.servePair { [unowned self] in accept($0) }
  }

  /// From now on these signals drain the server: no new connections, what has arrived is answered,
  /// everyone is told goodbye, and ``run()`` ends.
  package func drain(on signals: [Signal]) throws {
    let pipe = try SignalPipe(signals)
    self.signals = pipe
    try loop.watch(pipe.descriptor) { [unowned self] in
      _ = pipe.take()
      drain()
    }
  }

  /// Serves until there is nobody left to serve and nobody can come, and leaves all that was stored
  /// in its place: whoever opens the folder next need not read the journal first.
  package func run() throws(TransportError) {
    try loop.run()
    hub.tidy()
  }

  /// Drains the server; to be called on the loop's thread.
  package func drain() {
    loop.stopListening()
    hub.drain(at: now)
    // Whoever does not read the last lines is not waited for any longer than this.
    loop.setTimer(at: loop.clock.now() + hub.limits.lingerTime) { [unowned self] in loop.stop() }
  }

  private func accept(_ connection: LoopConnection) -> any ConnectionHandler {
    guard let id = hub.connect(at: now) else {
      connection.send(hub.refusal)
      connection.close()
      return Handler(self, nil)
    }
    connections[id] = connection
    return Handler(self, id)
  }

  private func tickLater() {
    loop.setTimer(at: loop.clock.now() + ServerHub.tickInterval) { [unowned self] in
      hub.advance(at: now)
      tickLater()
    }
  }

  private func turnEnded() {
    let now = now
    hub.advance(at: now)
    for id in hub.takeTouched() {
      if let connection = connections[id] { deliver(id, connection, at: now) }
    }
  }

  /// Hands what waits to the loop, as far as the client keeps up.
  private func deliver(_ id: ConnectionID, _ connection: LoopConnection, at now: Duration) {
    if !connection.isCongested {
      let waiting = hub.output(of: id)
      if !waiting.isEmpty {
        waiting.withUnsafeBytes { connection.send($0) }
        hub.sent(waiting.count, on: id, at: now)
      }
    }
    if hub.isFinished(id) {
      connection.close()
    } else if hub.wantsInput(of: id) {
      connection.resumeReading()
    } else {
      connection.pauseReading()
    }
  }

  /// What the loop calls for one connection.
  private final class Handler: ConnectionHandler {
    private unowned let server: ServerLoop
    private let id: ConnectionID?

    init(_ server: ServerLoop, _ id: ConnectionID?) {
      self.server = server
      self.id = id
    }

    func received(_ bytes: UnsafeRawBufferPointer, on connection: LoopConnection) {
      guard let id else { return }
      server.hub.receive(bytes, on: id, at: server.now)
    }

    func inputEnded(on connection: LoopConnection) {
      guard let id else { return connection.close() }
      server.hub.endInput(of: id, at: server.now)
    }

    func drained(_ connection: LoopConnection) {
      guard let id else { return }
      server.hub.resume(id)
      server.turnEnded()
    }

    func ended(_ reason: ConnectionEnd, on connection: LoopConnection) {
      guard let id else { return }
      server.connections[id] = nil
      server.hub.forget(id)
    }
  }
}
