public import FolioJSON

/// Why a transaction's body cannot be written, or cannot be read.
///
/// A body that cannot be read makes its whole transaction inert, for every reader alike.
@nonexhaustive
public enum BodyError: DomainError, Hashable {
  /// The body has more bytes than the limit.
  case tooLarge(byteCount: Int, limit: Int)
  /// The bytes are no JSON in canonical form.
  case json(JSONError)
  /// A value that is to be written breaks a rule of documents.
  case value(JSONValueError)
  /// A member is missing, unknown, or not what belongs there.
  case member(String)
  /// An amount breaks a rule.
  case amount(AmountError)
  /// A name breaks a rule.
  case name(NameError)
  /// An id breaks a rule.
  case identity(IdentityError)

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .tooLarge: "bodyTooLarge"
    case .json: "bodyMalformed"
    case .value(let error): error.code == .numberNotPortable ? "numberNotPortable" : "bodyValue"
    case .member: "bodyMember"
    case .amount(let error): error.code
    case .name(let error): error.code
    case .identity(let error): error.code
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .tooLarge(let count, let limit):
      "a transaction's body has at most \(limit) bytes, this one has \(count)"
    case .json(let error): "a transaction's body is not canonical JSON: \(error)"
    case .value(let error): "a transaction's body: \(error)"
    case .member(let name): "a transaction's body: \(name) is missing or not as it has to be"
    case .amount(let error): "a transaction's body: \(error.message)"
    case .name(let error): "a transaction's body: \(error.message)"
    case .identity(let error): "a transaction's body: \(error.message)"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .tooLarge: "save fewer or smaller edits at once"
    case .json, .member: "the program that wrote it is at fault; the transaction has no effect"
    case .value: "write such a number as text"
    case .amount(let error): error.hint
    case .name(let error): error.hint
    case .identity(let error): error.hint
    }
  }
}
