package import FolioJSON

/// Values whose text form is written digit by digit, without a text in between.
extension JSONWriter {
  /// Writes a hash, as 64 hexadecimal digits.
  package mutating func string(_ hash: Hash256) {
    plainString(count: 64) { pointer in
      Hexadecimal.write(hash.words.0, to: pointer)
      Hexadecimal.write(hash.words.1, to: pointer + 16)
      Hexadecimal.write(hash.words.2, to: pointer + 32)
      Hexadecimal.write(hash.words.3, to: pointer + 48)
    }
  }

  /// Writes 128 bits, as 32 hexadecimal digits.
  package mutating func string(hexadecimal value: UInt128) {
    plainString(count: 32) { pointer in
      Hexadecimal.write(UInt64(truncatingIfNeeded: value &>> 64), to: pointer)
      Hexadecimal.write(UInt64(truncatingIfNeeded: value), to: pointer + 16)
    }
  }

  /// Writes a document's id, as a UUID in lower case with hyphens.
  package mutating func string(_ id: DocumentID) {
    plainString(count: 36) { id.writeText(to: $0) }
  }

  /// Writes an asset, as `type:id`.
  package mutating func string(_ asset: AssetKey) {
    string(asset.type.text, UInt8(ascii: ":"), asset.id.text)
  }
}
