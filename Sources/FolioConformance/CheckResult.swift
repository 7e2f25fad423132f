/// What came of one check.
public struct CheckResult: Hashable, Sendable {
  /// What was checked, in a few words; stable, and unique within its side.
  public var name: String
  /// The numbers of the requirements that it is about.
  public var requirements: [String]
  /// What was found to be wrong; nil where everything held.
  public var failure: String?

  /// A result of those members.
  public init(name: String, requirements: [String], failure: String? = nil) {
    self.name = name
    self.requirements = requirements
    self.failure = failure
  }

  /// Whether everything held.
  public var holds: Bool { failure == nil }
}

/// Something that a peer under test did wrong.
struct CheckFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Ends a check where something does not hold.
func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
  if !holds { throw CheckFailure(otherwise()) }
}

/// Ends a check where two values are not the same.
func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
  if value != expected { throw CheckFailure("\(what) is \(value), not \(expected)") }
}

/// Something that has to be there.
func unwrap<Value>(_ value: Value?, _ otherwise: @autoclosure () -> String) throws -> Value {
  guard let value else { throw CheckFailure(otherwise()) }
  return value
}
