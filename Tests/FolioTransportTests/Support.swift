import FolioSystem
@testable import FolioTransport
import Glibc
import Testing

let clock = SystemMonotonicClock()

/// The moment that many milliseconds from now.
func after(_ milliseconds: Int64) -> MonotonicTime { clock.now() + .milliseconds(milliseconds) }

/// A deadline that only a hanging test meets.
func soon() -> MonotonicTime { after(20_000) }

extension ByteConnection {
  /// All bytes up to the end.
  func readToEnd() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while case .some(let chunk) = try readChunk(until: soon()), !chunk.isEmpty { bytes += chunk }
    return bytes
  }

  /// The next bytes: none at the end, nil at the deadline.
  func readChunk(until deadline: MonotonicTime) throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    switch try read(into: &buffer, until: deadline) {
    case .bytes(let count): return Array(buffer[..<count])
    case .end: return []
    case .timedOut: return nil
    }
  }

  /// Exactly that many bytes, fewer at the end.
  func readExactly(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      guard case .bytes(let received) = try read(into: &buffer, until: soon()) else { break }
      bytes += buffer[..<received]
    }
    return bytes
  }

  func write(_ text: String) throws { try writeAll(Array(text.utf8), until: soon()) }

  /// Sends all of `bytes` while receiving until the end; gives what came.
  func exchangeAll(_ bytes: [UInt8], finishing: Bool = true) throws -> [UInt8] {
    var received: [UInt8] = []
    var sentCount = 0
    var isFinished = false
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let result = try exchange(
        sending: bytes[sentCount...], receivingInto: &buffer, until: soon())
      try #require(!result.isTimedOut)
      sentCount += result.sentCount
      received += buffer[..<result.receivedCount]
      if sentCount == bytes.count, finishing, !isFinished {
        finishSending()
        isFinished = true
      }
      if result.isEnded, !finishing || isFinished { return received }
    }
  }
}

func openDescriptorCount() -> Int {
  (try? Files.entries(of: "/proc/self/fd").count) ?? 0
}

/// A listening socket on a free port of 127.0.0.1, whose connections the test accepts.
struct PlainListener {
  let descriptor: Int32
  let address: LoopbackAddress

  init() throws {
    descriptor = try callSocket(AF_INET)
    try callListen(descriptor, .ipv4(address: 0x7f00_0001, port: 0))
    address = LoopbackAddress(port: try callPort(descriptor))
  }

  func accept() throws -> DescriptorConnection {
    let deadline = soon()
    while clock.now() < deadline {
      if let accepted = try callAccept(descriptor) {
        return try DescriptorConnection(
          reading: accepted, writing: accepted, peer: "test", clock: clock)
      }
      callSleep(milliseconds: 1)
    }
    throw TransportError.timedOut
  }

  func close() { callClose(descriptor) }
}

/// A port of 127.0.0.1 that is nobody else's, and on which nobody listens.
struct ReservedPort {
  let descriptor: Int32
  let port: UInt16

  init() throws {
    let socket = try callSocket(AF_INET)
    descriptor = socket
    try SocketAddress.ipv4(address: 0x7f00_0001, port: 0).withPointer {
      (pointer, length) throws(Errno) in
      if bind(socket, pointer, length) != 0 { throw Errno(rawValue: errno) }
    }
    port = try callPort(descriptor)
  }

  func close() { callClose(descriptor) }
}

/// Ends a process of its own, which has no other way to fail, where `condition` is false.
func check(_ condition: @autoclosure () throws -> Bool, line: UInt = #line) throws {
  let isRight = try condition()
  precondition(isRight, "line \(line)")
}

/// Ends a process of its own where many more descriptors are open than were before.
///
/// The runtime opens a few at times of its own choosing; a leak would be one for each connection.
func expectNoMoreOpen(than before: Int) {
  precondition(openDescriptorCount() <= before + 8)
}
