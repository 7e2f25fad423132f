public import FolioSystem

/// A connection that carries bytes both ways, and knows nothing of what they mean.
///
/// One thread at a time drives it; `close` may be called from any, and ends a call that waits.
public protocol ByteConnection: AnyObject, Sendable {
  /// Sends and receives what goes at once; where nothing goes, waits for the first byte either
  /// way, up to the deadline.
  ///
  /// Whoever has much to send passes a buffer to receive as well: two sides that only send wait for
  /// each other for ever once both have filled what lies between them.
  ///
  /// - Parameters:
  ///   - bytes: What is to be sent; empty where nothing is.
  ///   - buffer: Where to put what comes; empty where nothing is to be received.
  ///   - deadline: When to give up waiting.
  /// - Throws: `TransportError.reset` where the peer is gone and all that it sent has been
  ///   received, `.closed` after or during `close`.
  func exchange(
    sending bytes: UnsafeRawBufferPointer, receivingInto buffer: UnsafeMutableRawBufferPointer,
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange

  /// Tells the peer that no more bytes come; receiving goes on.
  func finishSending()

  /// Closes it, and waits for what it started to end; further calls do nothing.
  func close()
}

/// What one exchange did.
public struct ByteExchange: Hashable, Sendable {
  /// How many of the bytes were sent, from the first.
  public var sentCount: Int
  /// How many bytes were received, from the buffer's start.
  public var receivedCount: Int
  /// Whether the peer has ended its sending, and nothing is left to receive.
  ///
  /// It stays so in every later exchange; those still send.
  public var isEnded: Bool
  /// Whether the deadline passed before anything went either way.
  public var isTimedOut: Bool

  /// An exchange of that outcome.
  public init(
    sentCount: Int = 0, receivedCount: Int = 0, isEnded: Bool = false, isTimedOut: Bool = false
  ) {
    self.sentCount = sentCount
    self.receivedCount = receivedCount
    self.isEnded = isEnded
    self.isTimedOut = isTimedOut
  }
}

/// What a read came to.
public enum ByteRead: Hashable, Sendable {
  /// That many bytes stand at the buffer's start.
  case bytes(Int)
  /// Nothing came before the deadline.
  case timedOut
  /// The peer has ended its sending.
  case end
}

extension ByteConnection {
  /// Waits for bytes and reads what is there, at most as much as `buffer` holds, which must not be
  /// empty.
  public func read(
    into buffer: UnsafeMutableRawBufferPointer, until deadline: MonotonicTime
  ) throws(TransportError) -> ByteRead {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let result = try exchange(sending: nothing, receivingInto: buffer, until: deadline)
    if result.receivedCount > 0 { return .bytes(result.receivedCount) }
    return result.isEnded ? .end : .timedOut
  }

  /// Waits for bytes and reads what is there, at most as much as `buffer` has bytes, which must not
  /// be empty.
  public func read(
    into buffer: inout [UInt8], until deadline: MonotonicTime
  ) throws(TransportError) -> ByteRead {
    try buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(TransportError) in try read(into: bytes, until: deadline) }
    }.get()
  }

  /// Sends and receives what goes at once, as `exchange` of the protocol does, with arrays.
  public func exchange(
    sending bytes: ArraySlice<UInt8>, receivingInto buffer: inout [UInt8],
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    try buffer.withUnsafeMutableBytes { buffer in
      bytes.withUnsafeBytes { bytes in
        Result { () throws(TransportError) in
          try exchange(sending: bytes, receivingInto: buffer, until: deadline)
        }
      }
    }.get()
  }

  /// Sends all of `bytes`, and receives nothing meanwhile: only for what the peer is sure to read
  /// before it sends much itself.
  ///
  /// - Throws: `TransportError.timedOut` where it took longer than to the deadline; then part of it
  ///   may have been sent.
  public func writeAll(
    _ bytes: UnsafeRawBufferPointer, until deadline: MonotonicTime
  ) throws(TransportError) {
    let nothing = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    var rest = bytes
    while !rest.isEmpty {
      let result = try exchange(sending: rest, receivingInto: nothing, until: deadline)
      if result.sentCount == 0 { throw .timedOut }
      rest = UnsafeRawBufferPointer(rebasing: rest[result.sentCount...])
    }
  }

  /// Sends all of `bytes`, and receives nothing meanwhile: only for what the peer is sure to read
  /// before it sends much itself.
  public func writeAll(
    _ bytes: [UInt8], until deadline: MonotonicTime
  ) throws(TransportError) {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(TransportError) in try writeAll(buffer, until: deadline) }
    }.get()
  }
}
