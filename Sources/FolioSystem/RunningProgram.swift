/// The program that this process runs.
public enum RunningProgram {
  /// Where its file stands; nil where the system does not tell.
  public static var path: String? { systemProgramPath() }

  /// Ends it with an exit status.
  public static func exit(_ status: Int32) -> Never { systemExit(status) }
}
