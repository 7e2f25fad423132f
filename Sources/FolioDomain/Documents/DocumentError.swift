/// Why a document cannot be written so.
@nonexhaustive
public enum DocumentError: DomainError, Hashable {
  /// The fields are no JSON object.
  case notAnObject
  /// A field that every document has and none can set.
  case reservedField(String)
  /// A name breaks a rule.
  case name(NameError)
  /// `metadata` is something other than an object.
  case metadataNotObject
  /// A value nests deeper than the limit; where, as a JSON Pointer.
  case nestingTooDeep(path: String, limit: Int)
  /// A number that not every reader would understand alike; where, as a JSON Pointer.
  case numberNotPortable(path: String)
  /// The same member twice in one object; where, as a JSON Pointer.
  case duplicateMember(path: String)
  /// A field is both set and unset; which, as a JSON Pointer.
  case setAndUnset(path: String)

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .notAnObject: "documentNotObject"
    case .reservedField: "fieldReserved"
    case .name(let error): error.code
    case .metadataNotObject: "metadataNotObject"
    case .nestingTooDeep: "nestingTooDeep"
    case .numberNotPortable: "numberNotPortable"
    case .duplicateMember: "duplicateMember"
    case .setAndUnset: "fieldSetAndUnset"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .notAnObject: "a document's fields are a JSON object"
    case .reservedField(let name): "\(name) is kept by the store and cannot be set"
    case .name(let error): error.message
    case .metadataNotObject: "metadata is a JSON object, whose members merge one by one"
    case .nestingTooDeep(let path, let limit):
      "the value at \(path) nests more than \(limit) levels deep"
    case .numberNotPortable(let path):
      "the number at \(path) is neither an integer within 9007199254740991 nor a fraction between "
        + "0.000001 and 1000000000000000 that a double holds exactly as written"
    case .duplicateMember(let path): "the member at \(path) stands twice in its object"
    case .setAndUnset(let path): "the field at \(path) is both set and unset"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .notAnObject: "write it like {\"name\":\"value\"}"
    case .reservedField: "leave it out, or choose another name"
    case .name(let error): error.hint
    case .metadataNotObject: "write it like {\"metadata\":{\"name\":\"value\"}}"
    case .nestingTooDeep: "flatten the value, or keep it as text"
    case .numberNotPortable: "write the number as text, in quotes"
    case .duplicateMember, .setAndUnset: "say it once"
    }
  }
}
