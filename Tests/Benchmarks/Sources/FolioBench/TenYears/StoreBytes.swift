import CBaseline

/// How many bytes the pages of a store take.
enum StoreBytes {
  /// All that are in use, and by the name of what they hold.
  static func measure(_ folder: String) throws -> [String: Int] {
    var found: [String: Int] = [:]
    let code = withUnsafeMutablePointer(to: &found) { found in
      baseline_sizes(folder, found) { context, name, bytes in
        guard let name else { return }
        context?.assumingMemoryBound(to: [String: Int].self).pointee[String(cString: name)] = bytes
      }
    }
    try Baseline.check(code)
    return found
  }
}
