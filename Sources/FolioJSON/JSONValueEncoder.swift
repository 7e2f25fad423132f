/// What a value is encoded into, before its members are in order.
final class EncodedNode {
  enum Kind {
    case unknown
    case value(JSONValue)
    case object
    case array
  }

  var kind = Kind.unknown
  private var members: [(name: String, node: EncodedNode)] = []
  private var elements: [EncodedNode] = []

  var value: JSONValue {
    switch kind {
    // What encodes nothing at all has no members.
    case .unknown: .object([])
    case .value(let value): value
    case .array: .array(elements.map(\.value))
    case .object:
      .object(
        members.map { JSONMember($0.name, $0.node.value) }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }
  }

  func member(_ name: String) -> EncodedNode {
    if let present = members.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      return present.node
    }
    let node = EncodedNode()
    members.append((name, node))
    return node
  }

  func next() -> EncodedNode {
    let node = EncodedNode()
    elements.append(node)
    return node
  }
}

struct JSONValueEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.kind = .object
    return KeyedEncodingContainer(KeyedEncoder(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.kind = .array
    return UnkeyedEncoder(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleEncoder(node: node, codingPath: codingPath)
  }
}

/// A place in an array.
struct IndexKey: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { "\(index)" }
  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { index = intValue }
  init?(stringValue: String) { return nil }
}

private struct KeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  private func put(_ value: some Encodable, _ key: Key) throws {
    try value.encode(to: encoder(key))
  }

  private func encoder(_ key: any CodingKey) -> JSONValueEncoder {
    JSONValueEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) { node.member(key.stringValue).kind = .value(.null) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Bool, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: String, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Double, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Float, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { try put(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(NameKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// A member of an object.
struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}

private struct UnkeyedEncoder: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var count = 0

  private mutating func encoder() -> JSONValueEncoder {
    defer { count += 1 }
    return JSONValueEncoder(node: node.next(), codingPath: codingPath + [IndexKey(count)])
  }

  mutating func encodeNil() { encoder().node.kind = .value(.null) }
  mutating func encode(_ value: some Encodable) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Bool) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: String) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Double) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Float) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Int) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Int8) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Int16) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Int32) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: Int64) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: UInt) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: UInt8) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: UInt16) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: UInt32) throws { try value.encode(to: encoder()) }
  mutating func encode(_ value: UInt64) throws { try value.encode(to: encoder()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { encoder().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder() }
}

private struct SingleEncoder: SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  func encodeNil() { node.kind = .value(.null) }
  func encode(_ value: Bool) { node.kind = .value(.bool(value)) }
  func encode(_ value: String) { node.kind = .value(.string(value)) }
  func encode(_ value: Float) throws { try encode(Double(value)) }

  func encode(_ value: Double) throws {
    // A whole number is an integer, as it is once it was written and read.
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 {
      return try put(integer)
    }
    guard value.isFinite else { throw refusal(value, "it is no finite number") }
    node.kind = .value(.double(value))
  }

  func encode(_ value: some Encodable) throws {
    try value.encode(to: JSONValueEncoder(node: node, codingPath: codingPath))
  }
  func encode(_ value: Int) throws { try put(value) }
  func encode(_ value: Int8) throws { try put(value) }
  func encode(_ value: Int16) throws { try put(value) }
  func encode(_ value: Int32) throws { try put(value) }
  func encode(_ value: Int64) throws { try put(value) }
  func encode(_ value: UInt) throws { try put(value) }
  func encode(_ value: UInt8) throws { try put(value) }
  func encode(_ value: UInt16) throws { try put(value) }
  func encode(_ value: UInt32) throws { try put(value) }
  func encode(_ value: UInt64) throws { try put(value) }

  private func put(_ value: some BinaryInteger) throws {
    guard let integer = Int64(exactly: value), integer.magnitude < 1 << 53 else {
      throw refusal(value, "it is no integer within 2^53 - 1, and belongs in text")
    }
    node.kind = .value(.integer(integer))
  }

  private func refusal(_ value: Any, _ why: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: why))
  }
}
