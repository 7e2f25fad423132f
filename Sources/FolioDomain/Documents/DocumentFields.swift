public import FolioJSON

/// Fields in the order of their paths, each path once.
///
/// A document has few, and they are written and stored in this order: a list is made of another by
/// going through both, and holds them without a table.
public struct DocumentFields: Hashable, Sendable {
  private var list: [DocumentField] = []

  /// No fields.
  public init() {}

  /// Those fields; of a path that stands there twice, the last counts.
  ///
  /// - Complexity: O(n) where they are in order, else O(n log n).
  public init(_ fields: [DocumentField]) {
    list = Self.isInOrder(fields) ? fields : Self.inOrder(fields)
  }

  /// The fields that a put sets.
  ///
  /// - Complexity: O(1) for one that was validated, else as of a list.
  init(of put: DocumentPut) {
    list = put.isValidated || Self.isInOrder(put.set) ? put.set : Self.inOrder(put.set)
  }

  /// The fields as an array, which is not copied.
  var array: [DocumentField] { list }

  /// The value of a field; nil where it is not set.
  ///
  /// - Complexity: O(log n).
  public subscript(path: FieldPath) -> JSONValue? {
    let place = place(of: path)
    return place < list.count && list[place].path == path ? list[place].value : nil
  }

  /// Sets fields, of which the last counts where a path stands there twice.
  ///
  /// - Complexity: O(n + m) for m fields that are in order.
  public mutating func set(_ fields: [DocumentField]) {
    set(DocumentFields(fields))
  }

  /// Sets fields.
  ///
  /// - Complexity: O(n + m) for m fields.
  mutating func set(_ added: DocumentFields) {
    if added.isEmpty { return }
    if list.isEmpty {
      self = added
      return
    }
    var merged: [DocumentField] = []
    merged.reserveCapacity(list.count + added.count)
    var next = 0
    for field in added {
      while next < list.count, list[next].path < field.path {
        merged.append(list[next])
        next += 1
      }
      if next < list.count, list[next].path == field.path { next += 1 }
      merged.append(field)
    }
    merged += list[next...]
    list = merged
  }

  /// Takes fields away; those that are not set are passed over.
  ///
  /// - Complexity: O(n + m).
  public mutating func unset(_ paths: some Collection<FieldPath>) {
    if paths.isEmpty || list.isEmpty { return }
    let paths = Set(paths)
    list.removeAll { paths.contains($0.path) }
  }

  /// Where a path stands, or would stand.
  private func place(of path: FieldPath) -> Int {
    var range = 0..<list.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if list[middle].path < path {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }

  /// Whether each path stands behind the one before it.
  static func isInOrder(_ fields: [DocumentField]) -> Bool {
    for place in fields.indices.dropFirst() where !(fields[place - 1].path < fields[place].path) {
      return false
    }
    return true
  }

  private static func inOrder(_ fields: [DocumentField]) -> [DocumentField] {
    // The last of each path comes first among its like, and is taken.
    let sorted = fields.enumerated().sorted { a, b in
      a.element.path == b.element.path
        ? b.offset < a.offset : a.element.path < b.element.path
    }
    var unique: [DocumentField] = []
    unique.reserveCapacity(sorted.count)
    for (_, field) in sorted where unique.last?.path != field.path { unique.append(field) }
    return unique
  }
}

extension DocumentFields: RandomAccessCollection {
  /// The first place.
  public var startIndex: Int { 0 }
  /// The end, and with it the number of fields.
  public var endIndex: Int { list.count }
  /// The field at a place.
  public subscript(place: Int) -> DocumentField { list[place] }
}
