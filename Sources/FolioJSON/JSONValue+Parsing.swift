extension JSONValue {
  /// The value that `json` is, nothing but whitespace around it.
  ///
  /// Under `JSONRules.rfc8259` other spellings of a portable number are taken (`1.50`, `1e3`) and
  /// read exactly; under all rules a number that is not portable is refused, and so is an object
  /// with two members of one name, which no value can hold.
  ///
  /// - Throws: `JSONError`; its `path(in:)` says which value it is about.
  /// - Complexity: O(n log n) in the number of bytes, for sorting members that are not sorted.
  public init(parsing json: [UInt8], _ rules: JSONRules = .document) throws(JSONError) {
    let span = json.span
    var reader = JSONReader(span.bytes, rules)
    self = try reader.readValue()
    try reader.finish()
  }

  /// The value that the text `json` is; see `init(parsing:_:)`.
  public init(parsing json: String, _ rules: JSONRules = .document) throws(JSONError) {
    self = try JSONValue(parsing: Array(json.utf8), rules)
  }
}

extension JSONReader {
  /// Reads one value.
  ///
  /// - Throws: `JSONError`; `numberNotPortable` for a number that is not.
  public mutating func readValue() throws(JSONError) -> JSONValue {
    var building = ValueInProgress()
    while true {
      if let scalar = try readScalarOrOpen(&building) {
        guard building.add(scalar) else { return scalar }
      }
      if let whole = try moveOn(&building) { return whole }
    }
  }

  /// Reads a scalar; nil where a container was opened instead.
  private mutating func readScalarOrOpen(
    _ building: inout ValueInProgress
  ) throws(JSONError) -> JSONValue? {
    switch try peek() {
    case .object:
      try beginObject()
      building.open(isObject: true)
      return nil
    case .array:
      try beginArray()
      building.open(isObject: false)
      return nil
    case .string: return .string(try readString())
    case .number:
      return switch try readPortableNumber() {
      case .integer(let integer): .integer(integer)
      case .double(let double): .double(double)
      }
    case .bool: return .bool(try readBool())
    case .null:
      _ = try readNull()
      return .null
    }
  }

  /// Moves to the next item, closing what ends; the whole value where the outermost ends.
  private mutating func moveOn(_ building: inout ValueInProgress) throws(JSONError) -> JSONValue? {
    while let isObject = building.isObject {
      if isObject {
        if let name = try nextName() {
          guard rules.refusesDuplicates || building.names.insert(name, in: bytes) else {
            throw JSONError(.duplicateMember, at: name.offset)
          }
          building.setName(string(name))
          return nil
        }
      } else if try nextElement() {
        return nil
      }
      let value = building.close()
      guard building.add(value) else { return value }
    }
    return nil
  }
}

/// The containers that are open, with what they hold so far.
private struct ValueInProgress {
  private struct Container {
    var isObject: Bool
    var name = ""
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
  }

  private var containers: [Container] = []
  /// The names of open objects, where the reader itself keeps none.
  var names = NameLedger()

  /// Whether the innermost open container is an object; nil where none is open.
  var isObject: Bool? { containers.last?.isObject }

  mutating func open(isObject: Bool) {
    containers.append(Container(isObject: isObject))
    if isObject { names.push() }
  }

  mutating func setName(_ name: String) { containers[containers.count - 1].name = name }

  /// Adds an item to the innermost container; false where none is open.
  mutating func add(_ value: JSONValue) -> Bool {
    guard var container = containers.popLast() else { return false }
    if container.isObject {
      container.members.append(JSONMember(container.name, value))
    } else {
      container.elements.append(value)
    }
    containers.append(container)
    return true
  }

  mutating func close() -> JSONValue {
    let container = containers.removeLast()
    guard container.isObject else { return .array(container.elements) }
    names.pop()
    return .object(JSONMember.sorted(container.members))
  }
}

extension JSONMember {
  /// `members` in byte order of their names.
  static func sorted(_ members: [JSONMember]) -> [JSONMember] {
    func isBefore(_ a: JSONMember, _ b: JSONMember) -> Bool {
      a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }
    let isSorted = zip(members, members.dropFirst()).allSatisfy { isBefore($0, $1) }
    return isSorted ? members : members.sorted(by: isBefore)
  }
}
