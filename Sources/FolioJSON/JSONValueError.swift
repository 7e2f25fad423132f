/// Why a value cannot be kept in canonical form, and where in it.
public struct JSONValueError: Error, Hashable, Sendable {
  /// What is wrong.
  public var code: Code
  /// Where, as a JSON Pointer (RFC 6901); empty for the value itself.
  public var path: String

  /// The fault `code` at `path`.
  public init(_ code: Code, path: String) {
    self.code = code
    self.path = path
  }

  /// What can be wrong with a value.
  ///
  /// The raw values are stable.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A number that not every reader would understand alike; it belongs in a string.
    case numberNotPortable = "number_not_portable"
    /// Two members of one name in an object.
    case duplicateMember = "duplicate_member"
    /// More levels than are allowed.
    case nestingTooDeep = "nesting_too_deep"
  }
}

extension JSONValueError: CustomStringConvertible {
  /// Where and what, without anything of the value.
  public var description: String {
    let place = path.isEmpty ? "the value" : path
    return switch code {
    case .numberNotPortable:
      "\(place): a number must be an integer within 9007199254740991, or a fraction between "
        + "0.000001 and 1000000000000000 that a double holds exactly as written"
    case .duplicateMember: "\(place): the same member twice in one object"
    case .nestingTooDeep: "\(place): nested too deep"
    }
  }
}
