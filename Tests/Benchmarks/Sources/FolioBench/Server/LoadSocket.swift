import CBaseline
import Foundation

/// A socket to a server on this machine, for what is said before and after a load.
final class LoadSocket {
  let descriptor: Int32
  private var rest: [UInt8] = []

  /// Connects to a port of 127.0.0.1.
  init(port: Int) throws {
    descriptor = load_connect(Int32(port))
    guard descriptor >= 0 else {
      throw Command.Failed(description: "port \(port): \(String(cString: strerror(-descriptor)))")
    }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Command.Failed(description: "a server takes nothing") }
      sent += count
    }
  }

  /// The next line, without its end.
  func line() throws -> [UInt8] {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        let line = Array(rest[..<end])
        rest.removeFirst(end + 1)
        return line
      }
      try receive()
    }
  }

  /// The next `count` bytes.
  func bytes(_ count: Int) throws -> [UInt8] {
    while rest.count < count { try receive() }
    defer { rest.removeFirst(count) }
    return Array(rest[..<count])
  }

  private func receive() throws {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, 30_000) > 0 else {
      throw Command.Failed(description: "a server is silent")
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw Command.Failed(description: "a server hung up") }
    rest += buffer[..<count]
  }
}

/// What one client asks, one request after the other.
struct Requests {
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []

  mutating func add(_ request: [UInt8]) {
    bytes += request
    ends.append(bytes.count)
  }
}

/// What a load came to.
struct LoadOutcome {
  let seconds: Double
  let answers: Int
  let answerBytes: Int
  /// The milliseconds that each answer took, the least first.
  private let latencies: [Double]

  var rate: Double { Double(answers) / seconds }

  /// The milliseconds that this share of the answers took at most.
  func latency(_ share: Double) -> Double {
    latencies[min(Int(share * Double(latencies.count)), latencies.count - 1)]
  }

  /// Lets all clients ask at once, each with one request in flight.
  ///
  /// An answer that is not the one hoped for, by the mark that it ends or begins with, is an error.
  init(
    _ speech: load_protocol, mark: String, _ sockets: [LoadSocket], _ requests: [Requests]
  ) throws {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var clients: [load_client] = []
    for (socket, requests) in zip(sockets, requests) {
      clients.append(
        load_client(descriptor: socket.descriptor, first: ends.count, count: requests.ends.count))
      ends += requests.ends.map { $0 + bytes.count }
      bytes += requests.bytes
    }
    var times = [Int64](repeating: 0, count: ends.count)
    var outcome = load_outcome()
    // The sockets are closed by whoever lets go of them, and their numbers would be others'.
    let code = withExtendedLifetime(sockets) {
      bytes.withUnsafeBufferPointer { bytes in
        ends.withUnsafeBufferPointer { ends in
          var all = load_requests(bytes: bytes.baseAddress, ends: ends.baseAddress)
          return load_run(speech, mark, &all, clients, clients.count, &times, &outcome)
        }
      }
    }
    guard code == 0 else {
      let fault = withUnsafeBytes(of: outcome.fault) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw Command.Failed(
        description: "a load failed: \(code < 0 ? fault : String(cString: strerror(code)))")
    }
    seconds = Double(outcome.nanoseconds) / 1e9
    answers = times.count
    answerBytes = Int(outcome.answer_bytes)
    latencies = times.sorted().map { Double($0) / 1e6 }
  }
}
