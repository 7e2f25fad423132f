package import FolioDomain
import FolioSystem

/// A log on standard error, a JSON object a line.
package struct StandardErrorLog: ServerLog {
  private let clock: any WallClock
  private let least: LogLevel

  /// Lines of level `least` and above, stamped by `clock`.
  package init(clock: any WallClock, least: LogLevel = .info) {
    self.clock = clock
    self.least = least
  }

  package func write(_ line: LogLine) {
    guard line.level >= least else { return }
    // A log that can't be written is no reason to stop serving.
    try? FileDescriptor.standardError.writeAll(line.bytes(at: clock.now()))
  }
}
