extension JSONValue {
  /// The value that something encodes itself as: an object for a structure with members.
  ///
  /// Exact, or refused: an integer beyond 2^53 - 1 and a number that is not finite are not written.
  /// - Throws: `EncodingError`, with the path.
  public init(encoding value: some Encodable) throws {
    let node = EncodedNode()
    try value.encode(to: JSONValueEncoder(node: node, codingPath: []))
    self = node.value
  }

  /// What the value is, decoded; members that the type does not know are passed over.
  ///
  /// - Throws: `DecodingError`, with the path.
  public func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try Value(from: JSONValueDecoder(value: self, codingPath: []))
  }
}

extension JSONValue: Codable {
  /// The value within another that is decoded from JSON values.
  ///
  /// - Throws: `DecodingError` where another decoder is at work.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONValueDecoder else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a JSON value is decoded from JSON values alone"))
    }
    self = decoder.value
  }

  /// Encodes the value as it is, within another that is encoded as JSON values.
  ///
  /// - Throws: `EncodingError` where another encoder is at work.
  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? JSONValueEncoder else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "a JSON value is encoded as JSON values alone"))
    }
    encoder.node.kind = .value(self)
  }
}
