import FolioDomain
import FolioJSON
import FolioServer

extension JSONValue {
  /// An object of those members, in byte order of their names.
  static func members(_ members: (String, JSONValue)...) -> JSONValue {
    .object(
      members.map { JSONMember($0.0, $0.1) }.sorted {
        $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      })
  }

  /// Text, or null where there is none.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

func positionValue(_ position: LogPosition) -> JSONValue {
  .members(
    ("seq", .integer(Int64(position.seq))), ("hash", .string(position.hash.text)))
}

func jumpValue(_ jump: ClockJump) -> JSONValue {
  .members(
    ("seq", .integer(Int64(jump.seq))), ("from", .string(jump.from.text)),
    ("to", .string(jump.to.text)))
}

/// Sixteen lower-case digits.
func hexadecimal(_ bits: UInt64) -> String {
  let digits = String(bits, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

func problemValue(_ problem: LineProblem) -> JSONValue {
  .members(
    ("line", .integer(Int64(problem.line))), ("code", .string(problem.code)),
    ("message", .string(problem.message)))
}
