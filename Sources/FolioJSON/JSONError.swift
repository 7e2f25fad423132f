/// Why bytes are not the JSON that was asked for, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong.
  public var code: Code
  /// How many bytes stand before the fault.
  public var offset: Int

  /// The fault `code` at `offset`.
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// What can be wrong.
  ///
  /// The raw values are stable and may be written to a peer. The offset is that of the first byte of what is named in each case.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The input ends inside a value; the offset is its length.
    case unexpectedEnd = "unexpected_end"
    /// A byte that no rule of the grammar allows in its place.
    case unexpectedByte = "unexpected_byte"
    /// Something other than whitespace after the value.
    case trailingBytes = "trailing_bytes"
    /// A byte order mark at the start.
    case byteOrderMark = "byte_order_mark"
    /// A byte sequence that is not UTF-8.
    case invalidUTF8 = "invalid_utf8"
    /// A control character within a string that is not escaped.
    case controlCharacter = "control_character"
    /// A backslash that begins no escape.
    case badEscape = "bad_escape"
    /// An escape of one half of a surrogate pair without the other.
    case loneSurrogate = "lone_surrogate"
    /// A member whose name occurred before in its object.
    case duplicateMember = "duplicate_member"
    /// A bracket that opens one level more than is allowed.
    case nestingTooDeep = "nesting_too_deep"
    /// A number that does not follow the grammar.
    case badNumber = "bad_number"
    /// A number with a fraction or an exponent, or `-0`, where only integers may stand.
    case numberNotInteger = "number_not_integer"
    /// An integer beyond 2^53 - 1 in magnitude.
    case numberOutOfRange = "number_out_of_range"
    /// A number that not every reader would understand alike.
    case numberNotPortable = "number_not_portable"
    /// A value that could be written in fewer bytes or in a more regular order.
    case notCanonical = "not_canonical"
    /// A value of another kind than the one that belongs there.
    case wrongType = "wrong_type"
    /// A member that the shape demands is not there; the offset is that of the closing bracket.
    case missingMember = "missing_member"
    /// A value of the right kind that the shape does not allow.
    case badValue = "bad_value"
    /// A text or list that is longer than the shape allows.
    case tooLong = "too_long"
  }
}

extension JSONError: CustomStringConvertible {
  /// What and where, without anything of the input.
  public var description: String { "\(code.explanation) at byte \(offset)" }
}

extension JSONError.Code {
  /// The fault in words, without anything of the input.
  public var explanation: String {
    switch self {
    case .unexpectedEnd: "the input ends too early"
    case .unexpectedByte: "a byte that JSON does not allow there"
    case .trailingBytes: "something follows the value"
    case .byteOrderMark: "a byte order mark"
    case .invalidUTF8: "bytes that are not UTF-8"
    case .controlCharacter: "a control character that is not escaped"
    case .badEscape: "an escape that JSON does not have"
    case .loneSurrogate: "half of a surrogate pair"
    case .duplicateMember: "the same member twice in one object"
    case .nestingTooDeep: "nested too deep"
    case .badNumber: "a number that JSON does not allow"
    case .numberNotInteger: "a number that is not an integer in plain digits"
    case .numberOutOfRange: "an integer beyond 9007199254740991"
    case .numberNotPortable: "a number that not every reader would understand alike"
    case .notCanonical: "not the canonical form"
    case .wrongType: "a value of another type than the one expected"
    case .missingMember: "a member is missing"
    case .badValue: "a value that is not allowed there"
    case .tooLong: "longer than is allowed"
    }
  }

  /// Whether the bytes are no JSON text at all, as against one that breaks a narrower rule.
  public var isGrammar: Bool {
    switch self {
    case .numberNotInteger, .numberOutOfRange, .numberNotPortable, .notCanonical, .wrongType,
      .missingMember, .badValue, .tooLong:
      false
    default: true
    }
  }
}
