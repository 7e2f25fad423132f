import FolioDomain
import FolioJSON

extension JSONValue {
  /// An object of those members; the writer puts them in order.
  static func row(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(
      members.map { JSONMember($0.key, $0.value) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }

  /// Text, or null where it is unknown.
  static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// A whole number, or null where it is unknown.
  static func count(_ count: (some BinaryInteger)?) -> JSONValue {
    count.map { .integer(Int64($0)) } ?? .null
  }

  /// Truth, or null where it is unknown.
  static func flag(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }

  /// A place in the log, or null before the first entry.
  static func position(_ position: LogPosition?) -> JSONValue {
    guard let position else { return .null }
    return row(["seq": count(position.seq), "hash": string(position.hash.text)])
  }
}
