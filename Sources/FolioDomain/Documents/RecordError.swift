/// Why a record cannot be written so.
@nonexhaustive
public enum RecordError: DomainError, Hashable {
  /// A new record lacks a field that it must have.
  case fieldMissing(String)
  /// A field has a value of another kind than text.
  case fieldNotText(String)
  /// The title has fewer characters than it must.
  case titleTooShort(characterCount: Int, limit: Int)
  /// The title has more characters than it may.
  case titleTooLong(characterCount: Int, limit: Int)
  /// The title has more UTF-8 bytes than it may.
  case titleTooManyBytes(byteCount: Int, limit: Int)
  /// The title has a control character.
  case titleControlCharacter(offset: Int)
  /// Another record of the type, that is not deleted, has the title.
  case titleTaken(by: DocumentID)

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .fieldMissing: "recordFieldMissing"
    case .fieldNotText: "recordFieldNotText"
    case .titleTooShort: "titleTooShort"
    case .titleTooLong: "titleTooLong"
    case .titleTooManyBytes: "titleTooManyBytes"
    case .titleControlCharacter: "titleControlCharacter"
    case .titleTaken: "titleTaken"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .fieldMissing(let name): "a record has a \(name)"
    case .fieldNotText(let name): "the \(name) of a record is text"
    case .titleTooShort(let count, let limit):
      "a title has at least \(limit) characters, this one has \(count)"
    case .titleTooLong(let count, let limit):
      "a title has at most \(limit) characters, this one has \(count)"
    case .titleTooManyBytes(let count, let limit):
      "a title has at most \(limit) bytes, this one has \(count)"
    case .titleControlCharacter(let offset):
      "a title has no control characters; there is one at byte \(offset)"
    case .titleTaken(let id): "the record \(id) of the same type has this title"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .fieldMissing, .fieldNotText: "give it as text"
    case .titleTooShort, .titleTooLong, .titleTooManyBytes, .titleControlCharacter:
      "choose a title of one line, from 3 to 50 characters"
    case .titleTaken: "choose another title, or delete the other record"
    }
  }
}
