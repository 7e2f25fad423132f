/// A JSON value as a document holds it.
///
/// Objects keep their members in byte order of the names, each once; strings are compared by bytes
/// when encoded, so two values are the same exactly when their canonical bytes are.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer within 2^53 - 1 of 0.
  case integer(Int64)
  /// A number that is no such integer.
  case double(Double)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members in byte order of their names.
  case object([JSONMember])
}

/// A member of a JSON object.
public struct JSONMember: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The value.
  public var value: JSONValue
  /// `name` with `value`.
  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }

  /// Whether both are written the same.
  public static func == (a: JSONMember, b: JSONMember) -> Bool {
    a.name.utf8.elementsEqual(b.name.utf8) && a.value == b.value
  }

  /// Hashes a part of what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

extension JSONValue: Hashable {
  /// Whether both are written the same.
  public static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.integer(let x), .integer(let y)): x == y
    case (.double(let x), .double(let y)): x == y
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.array(let x), .array(let y)): x == y
    case (.object(let x), .object(let y)): x == y
    default: false
    }
  }

  /// Hashes a part of what equality compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let x): hasher.combine(x)
    case .integer(let x): hasher.combine(x)
    case .double(let x): hasher.combine(x)
    case .string(let x):
      for byte in x.utf8 { hasher.combine(byte) }
    case .array(let x): hasher.combine(x)
    case .object(let x): hasher.combine(x.count)
    }
  }
}
