import FolioSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Blocks this thread for `duration`, which is below a second.
func sleepThread(_ duration: Duration) {
  let microseconds = max(0, min(duration.wholeNanoseconds / 1_000, 999_999))
  usleep(UInt32(microseconds))
}
