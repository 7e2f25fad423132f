import FolioDomain
import FolioWire
import TestSupport

@testable import FolioGateway

/// A conversation between a machine and a fake server, message by message.
struct Conversation {
  /// The connection was cut, after as many messages as a test wanted.
  struct Cut: Error {}

  var server: FakeServer
  var storage: MemoryStorage
  var options = SyncOptions(account: "me")
  var memory = SyncMemory()
  /// Messages that go through, of both sides, before the connection is cut; nil for all.
  var messagesUntilCut: Int?
  let clock = ManualClock(Timestamp(milliseconds: 1_700_000_000_000))

  init(_ storage: MemoryStorage, _ server: FakeServer) {
    self.storage = storage
    self.server = server
  }

  /// One connection, to its end.
  @discardableResult
  mutating func connect() throws -> SyncMachine.End {
    var machine = try SyncMachine(
      storage: storage, options: options, memory: memory, clock: clock)
    defer { memory = machine.memory }
    machine.start(random: SeededSource(seed: 1))
    var left = messagesUntilCut
    while machine.end == nil {
      let messages = machine.takeOutgoing()
      guard !messages.isEmpty else { throw StalledError() }
      for message in messages {
        guard machine.end == nil else { break }
        try cut(&left, &machine)
        guard let answer = server.answer(message) else { continue }
        try cut(&left, &machine)
        try machine.receive(answer)
      }
    }
    return machine.end ?? .finished
  }

  private func cut(_ left: inout Int?, _ machine: inout SyncMachine) throws {
    guard let count = left else { return }
    if count == 0 {
      machine.noteLostConnection()
      throw Cut()
    }
    left = count - 1
  }

  /// Connections until the sync is done.
  @discardableResult
  mutating func sync() throws -> SyncSummary {
    while try connect() == .again {}
    return memory.summary
  }

  /// The machine has nothing to send and is not over.
  struct StalledError: Error {}
}

/// A whole sync of `storage` with `server`.
@discardableResult
func sync(_ storage: MemoryStorage, _ server: FakeServer) throws -> SyncSummary {
  var conversation = Conversation(storage, server)
  return try conversation.sync()
}
