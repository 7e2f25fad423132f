/// The environment variables this process was started with.
public enum ProcessEnvironment {
  /// The value of the variable `name`; nil where it is not set, is empty, or is not UTF-8.
  ///
  /// An empty variable counts as not set, as in the specifications of XDG and NO_COLOR.
  public static func value(of name: String) -> String? {
    systemVariable(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The folder for a program's data after the XDG specification: `$XDG_DATA_HOME/name`, or
  /// `$HOME/.local/share/name`.
  ///
  /// Nil where neither variable is an absolute path.
  public static func dataFolder(for name: String) -> String? {
    if let folder = absolutePath("XDG_DATA_HOME") { return "\(folder)/\(name)" }
    return absolutePath("HOME").map { "\($0)/.local/share/\(name)" }
  }

  private static func absolutePath(_ variable: String) -> String? {
    value(of: variable).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
  }
}
