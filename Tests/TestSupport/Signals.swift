public import FolioSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Sends a signal to a process.
public func signal(_ process: Int32, _ signal: FolioSystem.Signal) {
  _ = kill(process, signal.rawValue)
}

/// Waits that long.
public func pause(milliseconds: Int) throws {
  guard usleep(UInt32(milliseconds) * 1_000) == 0 else {
    throw CommandFailure(message: "interrupted while waiting")
  }
}
