public import FolioJSON

extension DocumentPut {
  /// How many levels of arrays and objects a field's value nests at most.
  public static let levelLimit = 24

  /// The put of the fields of a JSON object, the members of its `metadata` each for itself.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - document: The document, new or not.
  ///   - fields: An object; null is a value like others.
  ///   - unset: Fields to unset; `metadata` as a whole stands for all its members.
  ///   - undelete: Whether a deletion is undone.
  /// - Throws: `DocumentError`, with the path of what is wrong.
  public init(
    collection: CollectionName, document: DocumentID, fields: JSONValue,
    unset: [FieldPath] = [], undelete: Bool = false
  ) throws(DocumentError) {
    guard case .object(let members) = fields else { throw .notAnObject }
    var set: [DocumentField] = []
    set.reserveCapacity(members.count)
    for member in members {
      let name = try Self.name(member.name)
      guard name == .metadata else {
        set.append(DocumentField(FieldPath(name), member.value))
        continue
      }
      guard case .object(let inner) = member.value else { throw .metadataNotObject }
      for member in inner {
        set.append(DocumentField(FieldPath(name, member: try Self.name(member.name)), member.value))
      }
    }
    let put = DocumentPut(
      collection: collection, document: document, set: set, unset: unset, undelete: undelete)
    self = try put.validated(namesAreChecked: true)
  }

  private static func name(_ text: String) throws(DocumentError) -> FieldName {
    do throws(NameError) {
      return try FieldName(validating: text)
    } catch {
      throw .name(error)
    }
  }

  /// The put with its fields in order and its numbers in their one form.
  ///
  /// - Complexity: O(1) for a put that this gave and that is unchanged.
  /// - Throws: `DocumentError`, where a name or value may not be written.
  public func validated() throws(DocumentError) -> DocumentPut {
    isValidated ? self : try validated(namesAreChecked: false)
  }

  /// - Parameter namesAreChecked: Whether the names of the fields that are set are known to follow
  ///   their rule.
  private func validated(namesAreChecked: Bool) throws(DocumentError) -> DocumentPut {
    var put = self
    for index in put.set.indices {
      let field = put.set[index]
      guard field.path.member != nil || field.path.name != .metadata else {
        throw .metadataNotObject
      }
      if namesAreChecked { try field.path.requireNotReserved() } else { try field.path.validate() }
      if let value = try field.value.portable(at: field.path) { put.set[index].value = value }
    }
    for path in put.unset { try path.validate() }
    if !put.unset.isEmpty { put.unset.sort() }
    if !DocumentFields.isInOrder(put.set) {
      put.set.sort { $0.path < $1.path }
      for (a, b) in zip(put.set, put.set.dropFirst()) where a.path == b.path {
        throw .duplicateMember(path: a.path.pointer)
      }
    }
    if put.setsAndUnsetsOneField {
      let paths = Set(put.set.map(\.path))
      for path in put.unset where paths.contains(path) { throw .setAndUnset(path: path.pointer) }
    }
    put.isValidated = true
    return put
  }

  /// Whether a field is both set and unset, which no order would decide.
  var setsAndUnsetsOneField: Bool {
    guard !set.isEmpty, !unset.isEmpty else { return false }
    let paths = Set(set.map(\.path))
    return unset.contains { paths.contains($0) }
  }
}

extension FieldPath {
  /// The path of a field, or of a member of `metadata` written `metadata.member`.
  public init(validating text: String) throws(DocumentError) {
    do throws(NameError) {
      let prefix = FieldName.metadata.text + "."
      if text.utf8.starts(with: prefix.utf8) {
        let member = try FieldName(validating: String(text.dropFirst(prefix.count)))
        self.init(.metadata, member: member)
      } else {
        self.init(try FieldName(validating: text))
      }
    } catch {
      throw .name(error)
    }
    try validate()
  }

  /// The path as a JSON Pointer.
  public var pointer: String {
    [name.text, member?.text].compactMap { $0 }.map { "/" + Self.escaped($0) }.joined()
  }

  private static func escaped(_ name: String) -> String {
    name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
      .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
  }

  fileprivate func requireNotReserved() throws(DocumentError) {
    if member == nil, name.isReserved { throw .reservedField(name.text) }
  }

  fileprivate func validate() throws(DocumentError) {
    try requireNotReserved()
    do throws(NameError) {
      _ = try FieldName(validating: name.text)
      if let member { _ = try FieldName(validating: member.text) }
    } catch {
      throw .name(error)
    }
  }
}

extension JSONValue {
  /// How many levels of arrays and objects the value has; 0 for a scalar.
  public var levelCount: Int {
    switch self {
    case .null, .bool, .integer, .double, .string: 0
    case .array(let elements): 1 + (elements.map(\.levelCount).max() ?? 0)
    case .object(let members): 1 + (members.map(\.value.levelCount).max() ?? 0)
    }
  }

  /// The value as it is read back from its canonical form; nil where it is so already.
  fileprivate func portable(at path: FieldPath) throws(DocumentError) -> JSONValue? {
    do throws(JSONValueError) {
      try validate(depthMax: DocumentPut.levelLimit)
      switch self {
      case .null, .bool, .integer, .string: return nil
      case .double, .array, .object: return canonical
      }
    } catch {
      let place = path.pointer + error.path
      switch error.code {
      case .numberNotPortable: throw .numberNotPortable(path: place)
      case .nestingTooDeep: throw .nestingTooDeep(path: place, limit: DocumentPut.levelLimit)
      case .duplicateMember: throw .duplicateMember(path: place)
      @unknown default: throw .numberNotPortable(path: place)
      }
    }
  }
}
