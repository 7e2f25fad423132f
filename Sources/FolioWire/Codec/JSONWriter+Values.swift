import FolioDomain
import FolioJSON

/// The values that members of messages have.
extension JSONWriter {
  mutating func member(_ name: StaticString, _ value: UInt64) {
    self.name(name)
    integer(value)
  }

  mutating func member(_ name: StaticString, _ value: Int) {
    self.name(name)
    integer(Int64(value))
  }

  mutating func member(_ name: StaticString, _ value: String) {
    self.name(name)
    string(value)
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  mutating func member(_ name: StaticString, _ value: Timestamp) {
    self.name(name)
    integer(value.milliseconds)
  }

  mutating func member(_ name: StaticString, _ value: Hash256) {
    self.name(name)
    string(value)
  }

  mutating func member(_ name: StaticString, hex128 value: UInt128) {
    self.name(name)
    string(hexadecimal: value)
  }

  mutating func member(_ name: StaticString, hex64 value: UInt64) {
    self.name(name)
    plainString(count: 16) { Hexadecimal.write(value, to: $0) }
  }

  mutating func member(_ name: StaticString, base64 bytes: [UInt8]) {
    self.name(name)
    plainString(count: Base64.count(of: bytes.count)) { Base64.encode(bytes, to: $0) }
  }

  mutating func member(_ name: StaticString, _ price: Price) {
    self.name(name)
    self.price(price)
  }

  mutating func price(_ price: Price) {
    plainString(upTo: Price.textByteLimit) { price.writeText(to: $0) }
  }

  /// Writes the members `id` or `re`, wherever they stand in byte order.
  mutating func member(_ name: StaticString, _ id: RequestID) {
    member(name, id.value)
  }

  mutating func type(_ type: MessageType) {
    member("type", type.rawValue)
  }
}
