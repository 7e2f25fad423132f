#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Cuts a stream of bytes into lines.
///
/// A line ends with one byte 0x0A and nothing else. A carriage return right before it is dropped; one
/// elsewhere is an error. Bytes come in pieces of any size, and what comes out does not depend on how
/// they were cut. Draining all lines after each piece bounds the memory: by the limit and one piece.
///
/// ```swift
/// framer.append(piece)
/// while let line = try framer.next() { handle(line) }
/// ```
///
/// - Complexity: O(n) in the number of bytes.
public struct LineFramer: Sendable {
  /// The most bytes of a line, without its end.
  ///
  /// It holds for lines not yet returned.
  public var lineByteLimit: Int

  private var buffer: [UInt8] = []
  /// Where the line being read starts.
  private var start = 0
  /// Up to where the line has been searched for its end.
  private var searched = 0
  /// Where the line's first carriage return is.
  private var carriageReturn: Int?
  private var failure: WireError?

  /// How much memory an empty framer keeps for what may come.
  private static let idleCapacity = 16_384

  /// A framer of lines of at most `lineByteLimit` bytes.
  public init(lineByteLimit: Int = Wire.handshakeLineByteLimit) {
    self.lineByteLimit = lineByteLimit
  }

  /// How many bytes are held that belong to no line returned.
  public var pendingByteCount: Int { buffer.count - start }

  /// Adds bytes that arrived.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    guard failure == nil else { return }
    if start > 0 {
      buffer.removeSubrange(..<start)
      move(by: start)
    }
    buffer.append(contentsOf: bytes)
  }

  /// Lets go of memory that a long line took, once nothing is left of it.
  private mutating func releaseIfDrained() {
    guard start == buffer.count, start > 0 else { return }
    buffer.removeAll(keepingCapacity: buffer.capacity <= Self.idleCapacity)
    move(by: start)
  }

  private mutating func move(by count: Int) {
    searched -= count
    carriageReturn = carriageReturn.map { $0 - count }
    start = 0
  }

  /// The next line, without its end; nil where its end has not arrived.
  ///
  /// Empty lines are returned.
  ///
  /// - Throws: `WireError`, from then on always the same: the stream cannot be read further.
  public mutating func next() throws(WireError) -> [UInt8]? {
    if let failure { throw failure }
    let end = find(0x0A, from: searched) ?? buffer.count
    if carriageReturn == nil { carriageReturn = find(0x0D, from: searched, before: end) }
    let isComplete = end < buffer.count
    var contentEnd = end
    if let carriageReturn {
      // Right before the end of the line, or the last byte so far, which may turn out to be.
      if carriageReturn == end - 1 {
        contentEnd = carriageReturn
      } else if carriageReturn - start <= lineByteLimit {
        throw fail(WireError(.strayCarriageReturn, at: carriageReturn - start))
      }
    }
    guard contentEnd - start <= lineByteLimit else {
      throw fail(WireError(.lineTooLong, at: lineByteLimit))
    }
    searched = end
    guard isComplete else {
      releaseIfDrained()
      return nil
    }
    let line = Array(buffer[start..<contentEnd])
    start = end + 1
    searched = start
    carriageReturn = nil
    return line
  }

  /// Says that no more bytes will come.
  ///
  /// - Throws: `WireError` with `unterminatedLine` where a line was not ended: it is no message.
  public mutating func finish() throws(WireError) {
    if let failure { throw failure }
    guard pendingByteCount == 0 else {
      throw fail(WireError(.unterminatedLine, at: pendingByteCount))
    }
  }

  private mutating func fail(_ error: WireError) -> WireError {
    failure = error
    buffer = []
    start = 0
    return error
  }

  private func find(_ byte: UInt8, from: Int, before limit: Int? = nil) -> Int? {
    buffer.withUnsafeBytes { bytes in
      let end = limit ?? bytes.count
      guard from < end, let base = bytes.baseAddress,
        let found = memchr(base + from, Int32(byte), end - from)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
