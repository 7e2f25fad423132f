public import FolioJSON

extension CanonicalBytes {
  /// Appends a value's canonical JSON, behind its length in four bytes.
  public mutating func append(_ value: JSONValue) {
    // A value of accepted state was read from a canonical body, or checked when it was saved.
    let json = (try? value.canonicalBytes) ?? []
    append(UInt32(truncatingIfNeeded: json.count))
    bytes.append(contentsOf: json)
  }
}
