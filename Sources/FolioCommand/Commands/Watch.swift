import Dispatch
import FolioArguments
import FolioJSON
import FolioStore
import Synchronization

extension Command {
  static let watch = Command(
    "watch", "Follow what is stored: a line for each change, whichever process makes it",
    details: """
      Each NAME is one of those that the store keeps things under, like domain.portfolio/assets or \
      domain.documents/notes; domain.documents is all collections. Ends with Ctrl-C.
      """,
    arguments: [
      Argument(
        "NAME", "What to follow; everything without it", isOptional: true, isRepeated: true)
    ],
    session: { session in try session.watch() })
}

extension Session {
  fileprivate func watch() throws {
    let typed = invocation.arguments("NAME")
    let names = try typed.isEmpty ? StoredName.all : typed.map { try StoredName($0) }
    try withStore { store in
      let changes = store.changes(of: names)
      try waiting { [console] in
        var isFirst = true
        for try await batch in changes {
          // What was there before is no change.
          if isFirst {
            isFirst = false
            continue
          }
          for change in batch {
            try console.say(
              .row([
                "name": .string(change.name.text), "transaction": .count(change.transaction),
              ]),
              text: "\(change.name.text)  transaction \(change.transaction)")
          }
        }
      }
    }
  }

  /// Runs asynchronous work while this thread, which is none of those that tasks run on, waits.
  private func waiting(_ work: @escaping @Sendable () async throws -> Void) throws {
    let result = Handover<Result<Void, any Error>>()
    Task {
      do {
        try await work()
        result.give(.success(()))
      } catch {
        result.give(.failure(error))
      }
    }
    try result.take().get()
  }
}

/// A value that one thread waits for and another gives.
private final class Handover<Value: Sendable>: Sendable {
  private let given = DispatchSemaphore(value: 0)
  private let value = Mutex<Value?>(nil)

  func give(_ value: Value) {
    self.value.withLock { $0 = value }
    given.signal()
  }

  func take() -> Value {
    while true {
      given.wait()
      if let value = value.withLock({ $0 }) { return value }
    }
  }
}
