extension BinaryInteger {
  /// How many there are of something, for a person: `1 row`, `2 rows`.
  ///
  /// - Parameters:
  ///   - one: What one of them is called.
  ///   - many: What several, or none, are called; the same with an `s` where it is nil.
  public func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
