// With System+Watching.swift, all that calls C in this module. Each function is one call, or one call made again
// while a signal interrupts it; none of them decides anything.

#if canImport(Glibc)
  import CSystem
  import Glibc
#else
  import Darwin
#endif

/// Makes `call` again for as long as a signal interrupts it; a result below 0 becomes an error.
private func retrying<Result: SignedInteger>(
  _ call: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw Errno(code) }
  }
}

/// Makes `call` once; a result below 0 becomes an error.
private func once(_ call: () -> Int32) throws(Errno) {
  if call() < 0 { throw Errno(errno) }
}

func systemMessage(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "unknown error"
}

// MARK: Descriptors

func systemOpen(_ path: String, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32 {
  try retrying { open(path, flags | O_CLOEXEC, mode_t(mode)) }
}

func systemOpen(
  at folder: Int32, _ name: String, _ flags: Int32
) throws(Errno) -> Int32 {
  try retrying { openat(folder, name, flags | O_CLOEXEC) }
}

/// Closes once: after an interrupted close the descriptor is gone, and its number may be another's.
func systemClose(_ descriptor: Int32) throws(Errno) {
  if close(descriptor) < 0, errno != EINTR { throw Errno(errno) }
}

func systemRead(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer
) throws(Errno) -> Int {
  try retrying { read(descriptor, buffer.baseAddress, buffer.count) }
}

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
  try retrying { write(descriptor, bytes.baseAddress, bytes.count) }
}

/// Waits until `descriptor` takes bytes; for one that another program has set not to block.
func systemWaitUntilWritable(_ descriptor: Int32) throws(Errno) {
  var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  _ = try retrying { poll(&entry, 1, -1) }
}

func systemLock(_ descriptor: Int32) throws(Errno) {
  _ = try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
}

func systemSync(_ descriptor: Int32) throws(Errno) {
  _ = try retrying { fsync(descriptor) }
}

func systemSetMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) {
  _ = try retrying { fchmod(descriptor, mode_t(mode)) }
}

func systemFlags(_ descriptor: Int32) throws(Errno) -> Int32 {
  try retrying { fcntl(descriptor, F_GETFL) }
}

func systemSetFlags(_ descriptor: Int32, _ flags: Int32) throws(Errno) {
  _ = try retrying { fcntl(descriptor, F_SETFL, flags) }
}

/// A pipe whose both ends are closed in programs started later.
func systemPipe() throws(Errno) -> (read: Int32, write: Int32) {
  var ends: (Int32, Int32) = (-1, -1)
  let result = withUnsafeMutableBytes(of: &ends) { raw -> Int32 in
    #if os(Linux)
      pipe2(raw.baseAddress?.assumingMemoryBound(to: Int32.self), O_CLOEXEC)
    #else
      pipe(raw.baseAddress?.assumingMemoryBound(to: Int32.self))
    #endif
  }
  if result < 0 { throw Errno(errno) }
  #if !os(Linux)
    _ = fcntl(ends.0, F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends.1, F_SETFD, FD_CLOEXEC)
  #endif
  return ends
}

/// What stands at a path or behind a descriptor.
struct SystemStatus {
  var mode: UInt32
  var byteCount: Int
  var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

  init(_ status: stat) {
    mode = UInt32(status.st_mode)
    byteCount = Int(status.st_size)
  }
}

func systemStatus(of descriptor: Int32) throws(Errno) -> SystemStatus {
  var status = stat()
  _ = try retrying { fstat(descriptor, &status) }
  return SystemStatus(status)
}

func systemStatus(at path: String) throws(Errno) -> SystemStatus {
  var status = stat()
  _ = try retrying { stat(path, &status) }
  return SystemStatus(status)
}

/// The status of an entry of a folder; a symbolic link is not followed.
func systemStatus(in folder: Int32, _ name: String) throws(Errno) -> SystemStatus {
  var status = stat()
  _ = try retrying { fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
  return SystemStatus(status)
}

// MARK: Names

func systemRename(_ source: String, _ target: String) throws(Errno) {
  try once { rename(source, target) }
}

func systemLink(_ source: String, _ target: String) throws(Errno) {
  try once { link(source, target) }
}

func systemRemove(_ path: String, isFolder: Bool = false) throws(Errno) {
  try once { isFolder ? rmdir(path) : unlink(path) }
}

func systemRemove(in folder: Int32, _ name: String, isFolder: Bool) throws(Errno) {
  try once { unlinkat(folder, name, isFolder ? AT_REMOVEDIR : 0) }
}

/// Makes a folder with mode 0700: no umask can widen it, and what a umask took away comes back.
func systemMakeFolder(_ path: String) throws(Errno) {
  try once { mkdir(path, 0o700) }
  try once { chmod(path, 0o700) }
}

func systemMakeTemporaryFolder(_ prefix: String) throws(Errno) -> String {
  var template = Array("\(prefix)XXXXXX".utf8CString)
  let made = template.withUnsafeMutableBufferPointer { buffer in
    buffer.baseAddress.flatMap { mkdtemp($0) } != nil
  }
  if !made { throw Errno(errno) }
  return template.withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map { String(cString: $0) } ?? ""
  }
}

/// The names in the folder behind `descriptor`, without `.` and `..`; the descriptor stays open.
func systemEntries(of descriptor: Int32) throws(Errno) -> [String] {
  let copy = try retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
  guard let stream = fdopendir(copy) else {
    let code = errno
    close(copy)
    throw Errno(code)
  }
  defer { closedir(stream) }
  rewinddir(stream)
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = readdir(stream) else {
      if errno != 0 { throw Errno(errno) }
      return names
    }
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self).withMemoryRebound(
        to: CChar.self, capacity: 256
      ) { String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
}

// MARK: Process

func systemVariable(_ name: String) -> String? {
  getenv(name).flatMap { String(validatingCString: $0) }
}

func systemProcessID() -> Int32 { getpid() }

func systemIsTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

func systemColumnCount(_ descriptor: Int32) -> Int? {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}

// MARK: Time

func systemMonotonicNanoseconds() -> Int64 {
  nanoseconds(of: CLOCK_MONOTONIC)
}

func systemWallNanoseconds() -> Int64 {
  nanoseconds(of: CLOCK_REALTIME)
}

private func nanoseconds(of clock: clockid_t) -> Int64 {
  #if canImport(Glibc)
    folio_clock_nanoseconds(clock)
  #else
    Int64(clock_gettime_nsec_np(clock))
  #endif
}

// MARK: Signals

/// Where the handler writes the numbers of signals; read and written only as a whole word.
nonisolated(unsafe) private var signalDescriptor: Int32 = -1

func systemSetSignalDescriptor(_ descriptor: Int32) { signalDescriptor = descriptor }

func systemIgnore(_ signal: Int32) {
  var action = sigaction()
  setHandler(SIG_IGN, in: &action)
  sigaction(signal, &action, nil)
}

func systemRestoreDefault(_ signal: Int32) {
  var action = sigaction()
  setHandler(SIG_DFL, in: &action)
  sigaction(signal, &action, nil)
}

/// Has the number of each signal of this kind written to the signal descriptor.
func systemForward(_ signal: Int32) throws(Errno) {
  var action = sigaction()
  setHandler(
    { number in
      // Only what is safe in a handler: one write, and errno as it was.
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(signalDescriptor, &byte, 1)
      errno = saved
    }, in: &action)
  action.sa_flags = Int32(SA_RESTART)
  try once { sigaction(signal, &action, nil) }
}

/// Lets a signal through to this thread: a program inherits what its starter blocked.
func systemUnblock(_ signal: Int32) {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, signal)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}

private func setHandler(_ handler: (@convention(c) (Int32) -> Void)?, in action: inout sigaction) {
  #if canImport(Glibc)
    action.__sigaction_handler.sa_handler = handler
  #else
    action.__sigaction_u.__sa_handler = handler
  #endif
}

// MARK: The program

/// The path of the running program; nil where the system does not tell.
func systemProgramPath() -> String? {
  #if canImport(Glibc)
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  #else
    return nil
  #endif
}

/// Raises the number of descriptors that this process may have; gives what it may have now.
func systemRaiseDescriptors(_ wanted: UInt64) -> UInt64 { folio_raise_descriptors(wanted) }

/// Ends the process at once, with what was written written.
func systemExit(_ status: Int32) -> Never { exit(status) }
