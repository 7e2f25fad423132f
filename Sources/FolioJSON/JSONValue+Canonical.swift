extension JSONValue {
  /// How many levels a value made in memory may have when it is written.
  public static let depthMax = 512

  /// The value in canonical form.
  ///
  /// Two values are the same exactly when these bytes are.
  ///
  /// - Throws: `JSONValueError`, for a value that was not parsed but made, and breaks a rule.
  public var canonicalBytes: [UInt8] {
    get throws(JSONValueError) {
      var writer = JSONWriter()
      try writer.value(self)
      return writer.finish()
    }
  }

  /// The value as its canonical form is read back: each number in its one kind, members in byte order
  /// of their names.
  ///
  /// Of a value that cannot be written in canonical form, what cannot stays as it is.
  ///
  /// - Complexity: O(values in it), and sorting members that are not sorted; text is not looked at.
  public var canonical: JSONValue {
    switch self {
    case .null, .bool, .integer, .string: self
    case .double(let value):
      switch PortableNumber(value) {
      case .integer(let whole)?: .integer(whole)
      case .double, nil: self
      }
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let members):
      .object(JSONMember.sorted(members.map { JSONMember($0.name, $0.value.canonical) }))
    }
  }

  /// Checks that the value can be written in canonical form, with at most `depthMax` levels.
  ///
  /// A scalar has no level, an array or object one more than the deepest value in it.
  ///
  /// - Throws: `JSONValueError` with the path of the fault.
  public func validate(depthMax: Int = JSONValue.depthMax) throws(JSONValueError) {
    try validate(depthMax, path: "")
  }

  private func validate(_ levels: Int, path: String) throws(JSONValueError) {
    switch self {
    case .null, .bool, .string: break
    case .integer(let value):
      guard value.magnitude <= portableIntegerMax else {
        throw JSONValueError(.numberNotPortable, path: path)
      }
    case .double(let value):
      guard PortableNumber(value) != nil else {
        throw JSONValueError(.numberNotPortable, path: path)
      }
    case .array(let elements):
      guard levels > 0 else { throw JSONValueError(.nestingTooDeep, path: path) }
      for (index, element) in elements.enumerated() {
        try element.validate(levels - 1, path: "\(path)/\(index)")
      }
    case .object(let members):
      guard levels > 0 else { throw JSONValueError(.nestingTooDeep, path: path) }
      for member in members {
        try member.value.validate(levels - 1, path: JSONPointer.appending(member.name, to: path))
      }
      let sorted = JSONMember.sorted(members)
      for (a, b) in zip(sorted, sorted.dropFirst()) where a.name.utf8.elementsEqual(b.name.utf8) {
        throw JSONValueError(.duplicateMember, path: JSONPointer.appending(a.name, to: path))
      }
    }
  }

  /// An object of those members, put in byte order of their names.
  ///
  /// - Throws: `JSONValueError` with `duplicateMember`.
  public static func object(sorting members: [JSONMember]) throws(JSONValueError) -> JSONValue {
    let sorted = JSONMember.sorted(members)
    for (a, b) in zip(sorted, sorted.dropFirst()) where a.name.utf8.elementsEqual(b.name.utf8) {
      throw JSONValueError(.duplicateMember, path: JSONPointer.appending(a.name, to: ""))
    }
    return .object(sorted)
  }
}

extension JSONWriter {
  /// Writes a value, its members in byte order.
  ///
  /// - Throws: `JSONValueError` where it breaks a rule; then nothing has been written.
  public mutating func value(_ value: JSONValue) throws(JSONValueError) {
    try value.validate()
    write(value)
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .double(let value): raw(PortableNumber.digits(value) ?? [])
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in JSONMember.sorted(members) {
        name(text: member.name)
        write(member.value)
      }
      endObject()
    }
  }
}
