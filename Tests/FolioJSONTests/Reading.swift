import FolioJSON

/// What a reader says of `json` as a whole: nil where it takes it.
func fault(_ json: [UInt8], _ rules: JSONRules = .protocol) -> JSONError? {
  let span = json.span
  var reader = JSONReader(span.bytes, rules)
  do throws(JSONError) {
    try reader.skipValue()
    try reader.finish()
    return nil
  } catch {
    return error
  }
}

func fault(_ json: String, _ rules: JSONRules = .protocol) -> JSONError? {
  fault(Array(json.utf8), rules)
}

/// What a reader that insists on canonical form says of `json`.
func canonicalFault(_ json: [UInt8]) -> JSONError? {
  let span = json.span
  var reader = JSONReader(span.bytes, .document)
  do throws(JSONError) {
    let range = try reader.readCanonicalValue()
    try reader.finish()
    return range == 0..<json.count ? nil : JSONError(.trailingBytes, at: range.upperBound)
  } catch {
    return error
  }
}

func canonicalFault(_ json: String) -> JSONError? { canonicalFault(Array(json.utf8)) }

/// What parsing a value says of `json`.
func valueFault(_ json: String, _ rules: JSONRules) -> JSONError? {
  do throws(JSONError) {
    _ = try JSONValue(parsing: json, rules)
    return nil
  } catch {
    return error
  }
}
