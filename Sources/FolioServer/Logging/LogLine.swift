package import FolioDomain
import FolioJSON

/// How much a line of the server's own log matters.
package enum LogLevel: String, Comparable, CaseIterable, Sendable {
  /// What happens in the ordinary way.
  case info
  /// What somebody may want to look into.
  case warning
  /// What went wrong here.
  case error

  package static func < (a: LogLevel, b: LogLevel) -> Bool { a.place < b.place }

  private var place: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// A line of the server's own log: what happened, never what was in it.
package struct LogLine: Hashable, Sendable {
  /// A value of a member.
  package enum Value: Hashable, Sendable {
    /// Text, which is escaped.
    case text(String)
    /// A number.
    case number(Int64)
  }

  /// How much it matters.
  package var level: LogLevel
  /// What happened.
  package var event: String
  /// The connection it happened on.
  package var connection: UInt64?
  /// More about it.
  package var members: [String: Value]

  /// A line about `event`.
  package init(
    _ level: LogLevel, _ event: String, connection: UInt64? = nil, _ members: [String: Value] = [:]
  ) {
    self.level = level
    self.event = event
    self.connection = connection
    self.members = members
  }

  /// The line as JSON, with its end.
  package func bytes(at time: Timestamp) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("at")
    writer.string(time.text)
    writer.name("level")
    writer.string(level.rawValue)
    writer.name("event")
    writer.string(event)
    if let connection {
      writer.name("connection")
      writer.integer(connection)
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      writer.name(text: name)
      switch value {
      case .text(let text): writer.string(text)
      case .number(let number): writer.integer(number)
      }
    }
    writer.endObject()
    return writer.finish() + [UInt8(ascii: "\n")]
  }
}

/// Where lines of the server's own log go.
package protocol ServerLog: Sendable {
  /// Takes a line.
  func write(_ line: LogLine)
}

/// A log that nobody reads.
package struct SilentLog: ServerLog {
  /// The log.
  package init() {}

  package func write(_ line: LogLine) {}
}
