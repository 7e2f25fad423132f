/// Python, in which peers of this package's programs are written.
public struct Python: Sendable {
  /// The path of the interpreter.
  ///
  /// It is not `python3` of the search path: that may be a script which looks for the interpreter, at
  /// each start anew and for longer than the peers run.
  public let path: String

  /// Why a test that needs it is skipped.
  public static let reason = "needs python3, 3.9 or later"

  /// The interpreter, or nil where there is none.
  public static let installed: Python? = {
    let line = "import sys; assert sys.version_info >= (3, 9); print(sys.executable)"
    let run = try? BuiltProgram(at: "/usr/bin/env").run(["python3", "-c", line])
    guard let run, run.status == 0, let path = run.lines.first else { return nil }
    return Python(path: path)
  }()

  /// The words that start a script which needs nothing but Python itself.
  ///
  /// Nothing installed beside it is looked for, and what the environment says of it does not count, so
  /// that compiled modules are kept from one start to the next.
  public static func words(for script: String) throws -> [String] {
    guard let installed else { throw CommandFailure(message: reason) }
    return [installed.path, "-E", "-S", script]
  }

  /// Whether a line of Python runs, which tells what is installed beside it.
  public func runs(_ line: String) -> Bool {
    let run = try? BuiltProgram(at: path).run(["-c", line])
    return run?.status == 0
  }
}
