#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How long this thread has had a processor: what runs beside it does not count.
public func threadTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
