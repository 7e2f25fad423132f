// The calls that waiting for a file to be written, and telling local time, take.
#if canImport(Glibc)
  import CSystem
  import Glibc
#else
  import CSystem
  import Darwin
#endif

/// A descriptor that can be read once the file is written to; nil where the system has no such thing,
/// or no more of them to give.
func systemWatch(_ path: String) throws(Errno) -> Int32? {
  #if os(Linux)
    let descriptor = folio_watch(path)
    if descriptor >= 0 { return descriptor }
    let code = errno
    if code == EMFILE || code == ENOSPC { return nil }
    throw Errno(code)
  #else
    return nil
  #endif
}

/// Which of some descriptors can be read, once one can or the time is over; without an end where it
/// is below 0.
func systemWaitUntilReadable(_ descriptors: [Int32], milliseconds: Int32) -> [Int32] {
  var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while poll(&entries, nfds_t(entries.count), milliseconds) < 0, errno == EINTR {}
  return entries.filter { $0.revents != 0 }.map(\.fd)
}

/// Reads all that is there, and forgets it.
func systemDrain(_ descriptor: Int32) {
  var bytes = [UInt8](repeating: 0, count: 4_096)
  while read(descriptor, &bytes, bytes.count) > 0 {}
}

/// Makes the other end of a pipe readable.
func systemRing(_ descriptor: Int32) {
  var byte: UInt8 = 1
  _ = write(descriptor, &byte, 1)
}

func systemCloseAll(_ descriptors: [Int32]) {
  for descriptor in descriptors { _ = close(descriptor) }
}

/// Makes a zone the one that local time is told in, for the whole process.
func systemSetZone(_ name: String) {
  setenv("TZ", ":" + name, 1)
  tzset()
}

/// The local time of a moment in whole seconds; nil where it cannot be told.
func systemLocalTime(_ seconds: Int64) -> String? {
  var text = [CChar](repeating: 0, count: 64)
  let count = folio_local_time(seconds, &text, text.count)
  return count == 0
    ? nil : String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// How many seconds the zone in use is ahead of UTC at a moment in whole seconds.
func systemZoneOffset(_ seconds: Int64) -> Int64 { folio_zone_offset(seconds) }
