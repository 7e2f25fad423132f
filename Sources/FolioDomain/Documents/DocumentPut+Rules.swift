public import FolioJSON

extension DocumentPut {
  /// How many levels of arrays and objects a field's value nests at most.
  public static let levelLimit = 24

  /// Whether a field is both set and unset, which no order would decide.
  var setsAndUnsetsOneField: Bool {
    guard !set.isEmpty, !unset.isEmpty else { return false }
    let paths = Set(set.map(\.path))
    return unset.contains { paths.contains($0) }
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
}
