/// JSON Pointers (RFC 6901), which name a value within a JSON text.
enum JSONPointer {
  /// The pointer to member `name` of the object at `path`.
  static func appending(_ name: String, to path: String) -> String {
    var pointer = path + "/"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(scalar)
      }
    }
    return pointer
  }
}

extension JSONError {
  /// Which value of `json` the fault lies in, as a JSON Pointer (RFC 6901); empty for the whole.
  ///
  /// Found by reading `json` anew up to the offset.
  ///
  /// - Complexity: O(n) in the offset.
  public func path(in json: [UInt8]) -> String {
    let span = json.span
    var reader = JSONReader(span.bytes, .rfc8259)
    var open: [OpenPath] = []
    do throws(JSONError) {
      while reader.offset <= offset {
        guard try reader.step(&open, until: offset) else { break }
      }
    } catch {
      // The fault itself, or one before it: what is open there is the answer.
    }
    return open.reduce("") { path, container in
      switch container {
      case .array(let index): index < 0 ? path : "\(path)/\(index)"
      case .object(let name): name.map { JSONPointer.appending($0, to: path) } ?? path
      }
    }
  }
}

/// A container around the fault, and the item of it that was being read.
private enum OpenPath {
  case array(Int)
  case object(String?)
}

extension JSONReader {
  /// Reads one token; false where the fault at `end` lies in it, or the text has ended.
  fileprivate mutating func step(_ open: inout [OpenPath], until end: Int) throws(JSONError) -> Bool
  {
    let kind = try peek()
    guard offset < end else { return false }
    switch kind {
    case .object:
      try beginObject()
      open.append(.object(nil))
    case .array:
      try beginArray()
      open.append(.array(-1))
    default: try skipValue()
    }
    while let last = open.last {
      guard offset <= end else { return false }
      switch last {
      case .object:
        if let name = try nextName() {
          open[open.count - 1] = .object(string(name))
          return true
        }
      case .array(let index):
        if try nextElement() {
          open[open.count - 1] = .array(index + 1)
          return true
        }
      }
      open.removeLast()
    }
    return false
  }
}
