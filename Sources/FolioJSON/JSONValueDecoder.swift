struct JSONValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(KeyedDecoder(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
    return UnkeyedDecoder(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleDecoder(value: value, codingPath: codingPath)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "it is something else"))
  }
}

private struct KeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [JSONMember]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { member(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

  private func member(_ key: any CodingKey) -> JSONValue? {
    members.first { $0.name.utf8.elementsEqual(key.stringValue.utf8) }?.value
  }

  private func decoder(_ key: any CodingKey) throws -> JSONValueDecoder {
    guard let value = member(key) else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "it is not set"))
    }
    return JSONValueDecoder(value: value, codingPath: codingPath + [key])
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: try decoder(key))
  }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try Bool(from: decoder(key)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try String(from: decoder(key))
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try Double(from: decoder(key))
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try Float(from: decoder(key)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try Int(from: decoder(key)) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try Int8(from: decoder(key)) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try Int16(from: decoder(key)) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try Int32(from: decoder(key)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try Int64(from: decoder(key)) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try UInt(from: decoder(key)) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try UInt8(from: decoder(key)) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try UInt16(from: decoder(key))
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try UInt32(from: decoder(key))
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try UInt64(from: decoder(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(NameKey("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct UnkeyedDecoder: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func decoder() throws -> JSONValueDecoder {
    let path = codingPath + [IndexKey(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, .init(codingPath: path, debugDescription: "the array has ended"))
    }
    return JSONValueDecoder(value: elements[currentIndex], codingPath: path)
  }

  mutating func decodeNil() throws -> Bool {
    guard try decoder().value == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try element() }

  private mutating func element<Value: Decodable>() throws -> Value {
    let value = try Value(from: try decoder())
    currentIndex += 1
    return value
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try element() }
  mutating func decode(_ type: String.Type) throws -> String { try element() }
  mutating func decode(_ type: Double.Type) throws -> Double { try element() }
  mutating func decode(_ type: Float.Type) throws -> Float { try element() }
  mutating func decode(_ type: Int.Type) throws -> Int { try element() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try element() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try element() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try element() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try element() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try element() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try element() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try element() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try element() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element() }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    defer { currentIndex += 1 }
    return try decoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    defer { currentIndex += 1 }
    return try decoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    defer { currentIndex += 1 }
    return try decoder()
  }
}

private struct SingleDecoder: SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Value(from: JSONValueDecoder(value: value, codingPath: codingPath))
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let flag) = value else { throw mismatch(type) }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let text) = value else { throw mismatch(type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .double(let number): return number
    default: throw mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    guard case .integer(let number) = value, let exact = Number(exactly: number) else {
      throw mismatch(Number.self)
    }
    return exact
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "it is something else"))
  }
}
