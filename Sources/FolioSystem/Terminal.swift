/// What is known about the terminal that a descriptor may lead to.
public enum Terminal {
  /// Whether a person may be looking: `descriptor` is a terminal.
  public static func isTerminal(_ descriptor: FileDescriptor) -> Bool {
    systemIsTerminal(descriptor.rawValue)
  }

  /// The width in columns: that of the terminal, or `$COLUMNS`; nil where neither tells.
  public static func width(of descriptor: FileDescriptor) -> Int? {
    if let width = systemColumnCount(descriptor.rawValue) { return width }
    guard let text = ProcessEnvironment.value(of: "COLUMNS"), let width = Int(text) else {
      return nil
    }
    return width > 0 ? width : nil
  }
}
