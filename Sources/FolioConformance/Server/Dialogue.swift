import FolioDomain
import FolioSystem
import FolioTransport
import FolioWire

/// A conversation with a server under test: one run of its command, whose lines a check writes.
final class Dialogue {
  private let connection: DescriptorConnection
  private var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var lastID: UInt64 = 0
  private var hasEnded = false
  private let clock = SystemMonotonicClock()
  let patience: Duration

  init(_ connection: DescriptorConnection, patience: Duration) {
    self.connection = connection
    self.patience = patience
  }

  deinit { connection.close() }

  private var deadline: MonotonicTime { clock.now() + patience }

  // MARK: Sending

  /// Sends bytes as they are.
  func send(bytes: [UInt8]) throws {
    do throws(TransportError) {
      try connection.writeAll(bytes, until: deadline)
    } catch .reset, .closed {
      // It has ended the connection; what it said before can still be read.
    } catch {
      throw CheckFailure("the server did not read: \(error.message)")
    }
  }

  /// Sends a line, its end added.
  func send(_ line: String) throws { try send(bytes: Array(line.utf8) + [0x0A]) }

  /// Sends a request under the next number.
  @discardableResult
  func send(_ request: Request) throws -> RequestID {
    let id = nextID()
    try send(bytes: Message.request(id, request).line)
    return id
  }

  /// The next number of a request, for lines that a check writes itself.
  func nextID() -> RequestID {
    lastID += 1
    return RequestID(lastID)
  }

  /// Says that nothing more will be sent.
  func finishSending() { connection.finishSending() }

  /// Ends the command at once, as a crash would.
  func kill() {
    connection.child?.send(.kill)
    connection.close()
  }

  // MARK: Receiving

  /// The next message; nil where the server has ended the connection.
  ///
  /// Empty lines, notes and pings of the server are passed over.
  func next() throws -> Message? {
    while true {
      guard let line = try nextLine() else { return nil }
      if line.isEmpty { continue }
      let message: Message
      do throws(WireError) {
        message = try Message(line: line)
      } catch {
        throw CheckFailure("the server wrote a line that is none of the protocol: \(error)")
      }
      switch message {
      case .note: continue
      case .request(let id, .ping): try send(bytes: Message.reply(id, .pong).line)
      default: return message
      }
    }
  }

  private func nextLine() throws -> [UInt8]? {
    let deadline = deadline
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      do throws(WireError) {
        if let line = try framer.next() { return line }
      } catch {
        throw CheckFailure("the server wrote what is no line: \(error)")
      }
      if hasEnded { return nil }
      switch try read(into: &buffer, until: deadline) {
      case .bytes(let count): framer.append(buffer[..<count])
      case .timedOut: throw CheckFailure("the server was silent for \(patience)")
      case .end: hasEnded = true
      }
    }
  }

  private func read(into buffer: inout [UInt8], until deadline: MonotonicTime) throws -> ByteRead {
    do throws(TransportError) {
      return try connection.read(into: &buffer, until: deadline)
    } catch .reset {
      return .end
    } catch {
      throw CheckFailure("the connection failed: \(error.message)")
    }
  }

  /// The answer to a request: a reply or a refusal.
  func answer(to id: RequestID) throws -> Result<Reply, ErrorMessage> {
    switch try next() {
    case .reply(id, let reply): return .success(reply)
    case .error(id, let error): return .failure(error)
    case .error(nil, let error):
      throw CheckFailure("the server ended the connection: \(error.code)")
    case nil: throw CheckFailure("the server ended the connection without an answer")
    case .reply(let other, _), .error(let other?, _):
      throw CheckFailure("request \(id.value) was answered as \(other.value)")
    default: throw CheckFailure("the server sent something else than an answer")
    }
  }

  /// The reply to a request, which is sent now.
  func ask(_ request: Request) throws -> Reply {
    switch try answer(to: try send(request)) {
    case .success(let reply):
      try expect(
        reply.type == request.replyType,
        "\(request.type.rawValue) was answered with \(reply.type.rawValue)")
      return reply
    case .failure(let error):
      throw CheckFailure("\(request.type.rawValue) was refused: \(error.code)")
    }
  }

  /// Expects that a request, which is sent now, is refused with `code`, and that the conversation
  /// goes on where the class is `request`.
  func expectRefusal(of request: Request, _ code: String, _ errorClass: ErrorClass) throws {
    switch try answer(to: try send(request)) {
    case .success: throw CheckFailure("\(request.type.rawValue) was answered, not refused")
    case .failure(let error):
      try expect(error.code, is: code, "the code of the refusal")
      try expect(error.errorClass, is: errorClass, "the class of \(code)")
      if errorClass == .request { try expectAlive() }
    }
  }

  /// Expects the connection to be ended with that error, of no request.
  func expectEnd(_ code: String, at offset: Int? = nil) throws {
    switch try next() {
    case .error(nil, let error):
      try expect(error.code, is: code, "the code of the error")
      try expect(error.errorClass, is: .fatal, "the class of \(code)")
      if let offset { try expect(error.offset, is: Int64(offset), "the offset of \(code)") }
      try expectEnd()
    // That the error is told before the end is advice, not a must.
    case nil: return
    case .error(_, let error):
      throw CheckFailure("\(error.code) refuses a request alone, where the connection is to end")
    default: throw CheckFailure("the server went on, where \(code) was to end the connection")
    }
  }

  /// Expects the server to send nothing more, and to end.
  func expectEnd() throws {
    guard try next() != nil else { return }
    throw CheckFailure("the server went on after what ends a connection")
  }

  /// Expects the server to answer a ping.
  func expectAlive() throws {
    guard case .pong = try ask(.ping) else { return }
  }
}
