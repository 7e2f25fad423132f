import FolioSystem
import FolioTransport
import FolioWire

/// A connection to an honest server whose answers are changed on the way.
final class LyingConnection: ByteConnection, @unchecked Sendable {
  /// What becomes of an answer, or of a line that is none: bytes with their end, none to hold it back.
  typealias Lie = (Message) -> [UInt8]

  private let honest: any ByteConnection
  private let lie: Lie
  private var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var changed: [UInt8] = []

  init(_ honest: any ByteConnection, _ lie: @escaping Lie) {
    self.honest = honest
    self.lie = lie
  }

  func exchange(
    sending bytes: UnsafeRawBufferPointer, receivingInto buffer: UnsafeMutableRawBufferPointer,
    until deadline: MonotonicTime
  ) throws(TransportError) -> ByteExchange {
    var received = [UInt8](repeating: 0, count: 65_536)
    var outcome: Result<ByteExchange, TransportError> = .success(ByteExchange())
    received.withUnsafeMutableBytes { own in
      do throws(TransportError) {
        outcome = .success(
          try honest.exchange(sending: bytes, receivingInto: own, until: deadline))
      } catch {
        outcome = .failure(error)
      }
    }
    var exchange = try outcome.get()
    framer.append(received[..<exchange.receivedCount])
    while let line = try? framer.next() {
      if let message = try? Message(line: line) { changed += lie(message) }
    }
    let count = min(changed.count, buffer.count)
    buffer.copyBytes(from: changed[..<count])
    changed.removeFirst(count)
    exchange.receivedCount = count
    exchange.isEnded = exchange.isEnded && changed.isEmpty && count == 0
    if count > 0 { exchange.isTimedOut = false }
    return exchange
  }

  func finishSending() { honest.finishSending() }

  func close() { honest.close() }
}
