/// What is to be done with the bytes of one connection of a loop; called on the loop's thread alone.
public protocol ConnectionHandler: AnyObject {
  /// Bytes came; they are the handler's until it returns.
  func received(_ bytes: UnsafeRawBufferPointer, on connection: LoopConnection)

  /// The peer has ended its sending; by default what is queued is sent, and the connection closed.
  func inputEnded(on connection: LoopConnection)

  /// So much of the queue was sent that the connection is congested no more.
  func drained(_ connection: LoopConnection)

  /// The moment set as `deadline` has passed, and is unset; by default the connection is cut.
  func deadlinePassed(on connection: LoopConnection)

  /// The connection is over; nothing is called after this.
  func ended(_ reason: ConnectionEnd, on connection: LoopConnection)
}

extension ConnectionHandler {
  /// Sends what is queued, then closes.
  public func inputEnded(on connection: LoopConnection) { connection.close() }

  /// Does nothing.
  public func drained(_ connection: LoopConnection) {}

  /// Cuts the connection.
  public func deadlinePassed(on connection: LoopConnection) { connection.cut(.deadline) }
}

/// Why a connection of a loop is over.
@nonexhaustive
public enum ConnectionEnd: Hashable, Sendable {
  /// This side closed it, and everything queued was handed to the system.
  case closed
  /// The peer broke it off.
  case reset
  /// The peer did not read what was sent: the queue was full, or did not move for too long.
  case slowReader
  /// The handler's deadline passed.
  case deadline
  /// The loop was stopped.
  case stopped
  /// This side cut it, for a reason of its own.
  case cut
  /// The system refused.
  case failed(TransportError)
}
