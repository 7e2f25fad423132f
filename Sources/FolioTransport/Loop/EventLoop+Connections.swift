internal import FolioSystem

/// A socket on which connections arrive.
final class Listener {
  let token: UInt64
  let descriptor: Int32
  let accept: (LoopConnection) -> (any ConnectionHandler)?
  /// Whether no descriptor was left, and it waits for some to come free.
  var isResting = false

  init(
    token: UInt64, descriptor: Int32,
    accept: @escaping (LoopConnection) -> (any ConnectionHandler)?
  ) {
    self.token = token
    self.descriptor = descriptor
    self.accept = accept
  }
}

extension EventLoop {
  /// How many connections wait at most to be accepted in one turn.
  private static let acceptCountMax = 64
  /// How long a listener rests where no descriptor is left.
  private static let rest = Duration.milliseconds(100)

  /// Listens on `address`; port 0 takes any that is free.
  ///
  /// - Parameters:
  ///   - address: Where to listen.
  ///   - accept: Gives a new connection its handler; nil turns it away.
  /// - Returns: the address with the port that was taken.
  @discardableResult
  public func listen(
    on address: LoopbackAddress,
    accept: @escaping (LoopConnection) -> (any ConnectionHandler)?
  ) throws(TransportError) -> LoopbackAddress {
    // A name of this machine that stands for two addresses is listened to on the first.
    let socketAddress = address.socketAddresses[0]
    let descriptor: Int32
    do throws(Errno) {
      descriptor = try callSocket(socketAddress.family)
    } catch {
      throw Self.listenError(error, address)
    }
    do throws(Errno) {
      try callListen(descriptor, socketAddress)
      let port = try callPort(descriptor)
      let listener = Listener(token: nextToken(), descriptor: descriptor, accept: accept)
      try poller.set(descriptor, token: listener.token, from: [], to: .read)
      registrations[listener.token] = .listener(listener)
      listeners[listener.token] = listener
      return LoopbackAddress(host: address.host, port: port)
    } catch {
      callClose(descriptor)
      throw Self.listenError(error, address)
    }
  }

  private static func listenError(
    _ error: Errno, _ address: LoopbackAddress
  ) -> TransportError {
    switch error {
    case .addressInUse: .addressInUse(address: address.description)
    case .tooManyFiles, .tooManyFilesInSystem: .tooManyFiles
    default: .cannotListen(address: address.description, errno: error)
    }
  }

  /// Takes no more connections; those that are there go on.
  public func stopListening() {
    for listener in listeners.values {
      if !listener.isResting {
        try? setInterest(listener.descriptor, listener.token, from: .read, to: [])
      }
      registrations[listener.token] = nil
      callClose(listener.descriptor)
    }
    listeners = [:]
  }

  func accept(from listener: Listener) {
    for _ in 0..<Self.acceptCountMax {
      do throws(Errno) {
        guard let descriptor = try callAccept(listener.descriptor) else { return }
        take(descriptor, from: listener)
      } catch .connectionAborted {
        // It went away while it waited; the next may be there.
        continue
      } catch {
        rest(listener)
        return
      }
    }
  }

  private func take(_ descriptor: Int32, from listener: Listener) {
    guard connections.count < limits.connectionCountMax,
      let streams = try? Streams(reading: descriptor, writing: descriptor)
    else {
      callClose(descriptor)
      return
    }
    callSendAtOnce(descriptor)
    add(streams, listener.accept)
  }

  private func rest(_ listener: Listener) {
    try? setInterest(listener.descriptor, listener.token, from: .read, to: [])
    listener.isResting = true
    setTimer(at: clock.now() + Self.rest) { [weak self, weak listener] in
      guard let self, let listener, listeners[listener.token] != nil else { return }
      listener.isResting = false
      try? setInterest(listener.descriptor, listener.token, from: [], to: .read)
    }
  }

  @discardableResult
  private func add(
    _ streams: Streams, _ accept: (LoopConnection) -> (any ConnectionHandler)?
  ) -> LoopConnection {
    let connection = LoopConnection(id: nextToken(), streams: streams, loop: self)
    connections[connection.id] = connection
    registrations[connection.id] = .connection(connection)
    if !streams.isShared { registrations[connection.writingToken] = .connection(connection) }
    note(connection)
    connection.handler = accept(connection)
    if connection.handler == nil { connection.cut() }
    return connection
  }

  /// Serves this process's standard input and output as one connection.
  @discardableResult
  public func serveStandardStreams(
    _ accept: (LoopConnection) -> any ConnectionHandler
  ) throws(TransportError) -> LoopConnection {
    do throws(Errno) {
      let streams = try Streams(
        reading: FileDescriptor.standardInput.rawValue,
        writing: FileDescriptor.standardOutput.rawValue)
      return add(streams, accept)
    } catch {
      throw .of(error, operation: "serve")
    }
  }

  /// Serves one end of a new connection within this process, and gives the other.
  public func servePair(
    _ accept: (LoopConnection) -> any ConnectionHandler
  ) throws(TransportError) -> DescriptorConnection {
    let ends: (Int32, Int32)
    let streams: Streams
    do throws(Errno) {
      ends = try callSocketPair()
      streams = try Streams(reading: ends.0, writing: ends.0)
    } catch {
      throw .of(error, operation: "make")
    }
    let other: DescriptorConnection
    do throws(TransportError) {
      other = try DescriptorConnection(
        reading: ends.1, writing: ends.1, peer: "pair", clock: clock)
    } catch {
      callClose(ends.0)
      throw error
    }
    add(streams, accept)
    return other
  }
}
