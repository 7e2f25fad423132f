/// How many descriptors this process may have at once.
public enum DescriptorLimit {
  /// Raises the limit to `count`, as far as the system lets the process; it is never lowered.
  ///
  /// - Returns: how many descriptors the process may have now.
  @discardableResult
  public static func raise(to count: Int) -> Int {
    Int(clamping: systemRaiseDescriptors(UInt64(clamping: count)))
  }
}
