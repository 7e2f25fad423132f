import FolioDomain
import FolioWire

/// The number of a connection in one run of a server.
package struct ConnectionID: Hashable, Comparable, Sendable {
  /// The number, from 1.
  package var value: UInt64

  package static func < (a: ConnectionID, b: ConnectionID) -> Bool { a.value < b.value }
}

/// Who has logged in on a connection.
struct Member: Hashable {
  var account: String
  var device: DeviceID
  var instance: InstanceID
}

/// One connection, as far as it has to do with what is said on it.
///
/// An object, since what it holds changes with every line, and is not to be copied for it.
final class Connection {
  let id: ConnectionID
  var conversation: ServerConversation
  var framer: LineFramer
  var output = OutputBuffer()
  var member: Member?
  /// How many requests are to be answered by the next commit.
  var committing = 0
  /// A request that reads, and waits for the commit of those before it.
  var waiting: (id: RequestID, request: Request)?
  /// Whether nothing more is taken from the client: it said so, or its input has ended.
  var isLeaving = false
  /// Since when the connection only sends what is left; nil where it is not ending.
  var endingSince: Duration?
  var bytesBeforeLogin = 0
  let openedAt: Duration
  /// Since when an unfinished line has been arriving.
  var lineSince: Duration?

  /// Whether it is among the hub's ready ones, and among those that were touched.
  var isReady = false
  var isTouched = false
  /// Whether its client sends nothing more.
  var hasInputEnded = false
  /// Whether it is closed, and the hub's no more.
  var isForgotten = false

  init(_ id: ConnectionID, limits: Limits, at now: Duration) {
    self.id = id
    conversation = ServerConversation(limits: limits, at: now)
    framer = LineFramer(lineByteLimit: conversation.lineByteLimit)
    openedAt = now
  }

  var isEnding: Bool { endingSince != nil }

  /// Whether it can be answered.
  var isHeard: Bool { !isEnding && !isForgotten }
}

/// Bytes that wait to be sent.
struct OutputBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  /// Since when nothing of it has been taken.
  var stalledSince: Duration?

  var count: Int { bytes.count - start }

  var waiting: ArraySlice<UInt8> { bytes[start...] }

  mutating func append(_ line: [UInt8], at now: Duration) {
    if count == 0 { stalledSince = now }
    bytes.append(contentsOf: line)
  }

  mutating func remove(_ count: Int, at now: Duration) {
    guard count > 0 else { return }
    start += count
    stalledSince = self.count == 0 ? nil : now
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 16_384)
      start = 0
    } else if start > 65_536 {
      bytes.removeFirst(start)
      start = 0
    }
  }
}
