import FolioDomain
import FolioSystem
import FolioWire
import TestSupport

@testable import FolioGateway

/// Connections between sessions and a fake server, as bytes, until a sync is done.
struct Conversation {
  /// The connection was cut, after as many bytes as a test wanted.
  struct Cut: Error {}
  /// Neither side has anything to send, and the session is not over.
  struct Stalled: Error {}

  var server: FakeServer
  var storage: MemoryStorage
  var options = SyncOptions(account: "me")
  var memory = SyncMemory()
  /// Bytes that go through, of both sides, before the connection is cut; nil for all.
  var bytesUntilCut: Int?
  /// How many bytes went through in all.
  var byteCount = 0
  let clock = ManualClock(Timestamp(milliseconds: 1_700_000_000_000))
  let now = MonotonicTime(nanoseconds: 0)

  init(_ storage: MemoryStorage, _ server: FakeServer) {
    self.storage = storage
    self.server = server
  }

  /// One connection, to its end.
  mutating func connect() throws -> SyncSession.Outcome {
    var session = try SyncSession(
      storage: storage, options: options, memory: memory, clock: clock,
      random: SeededSource(seed: 1), at: now)
    defer { memory = session.memory }
    server.framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
    var outputs = session.start()
    while true {
      var answers: [UInt8] = []
      for case .send(let bytes) in outputs {
        let arrived = cut(bytes)
        answers += server.answer(Array(arrived))
        if arrived.count < bytes.count || server.isCut { try lose(&session) }
      }
      if let outcome = session.outcome { return outcome }
      guard !answers.isEmpty else { throw Stalled() }
      let arrived = cut(answers)
      outputs = session.receive(arrived, at: now)
      if arrived.count < answers.count, session.outcome == nil { try lose(&session) }
    }
  }

  /// The bytes that get to the other side.
  private mutating func cut(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    byteCount += bytes.count
    guard let left = bytesUntilCut else { return bytes[...] }
    bytesUntilCut = max(left - bytes.count, 0)
    return bytes.prefix(left)
  }

  private func lose(_ session: inout SyncSession) throws {
    server.isCut = false
    session.end(.connectionLost("cut"))
    throw Cut()
  }

  /// Connections until the sync is done.
  @discardableResult
  mutating func sync() throws -> SyncSummary {
    while true {
      switch try connect() {
      case .finished: return memory.summary
      case .again: continue
      case .failed(let error): throw error
      }
    }
  }
}

/// A whole sync of `storage` with `server`.
@discardableResult
func sync(
  _ storage: MemoryStorage, _ server: FakeServer, acceptsShorterLog: Bool = false
) throws -> SyncSummary {
  var conversation = Conversation(storage, server)
  conversation.options.answers.acceptsShorterLog = acceptsShorterLog
  return try conversation.sync()
}
