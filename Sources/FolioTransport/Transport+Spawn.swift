// Calls that start, watch and end other programs.

internal import FolioSystem

#if canImport(Glibc)
  import CSystem
  import Glibc
#else
  import Darwin
#endif

/// What `waitpid` found.
enum WaitResult {
  case running
  case ended(ChildExit)
}

/// Starts `/bin/sh -c command` with these descriptors as its standard input and output.
///
/// Everything else that it inherits is standard error, the folder and the variables, with
/// `additions` over them. Signals are as a program expects them: none blocked, the broken pipe
/// at its default.
func callSpawn(
  _ command: String, input: Int32, output: Int32, ownGroup: Bool, additions: [String: String]
) throws(Errno) -> Int32 {
  var actions = posix_spawn_file_actions_t()
  try spawnChecked(posix_spawn_file_actions_init(&actions))
  defer { posix_spawn_file_actions_destroy(&actions) }
  try spawnChecked(posix_spawn_file_actions_adddup2(&actions, input, 0))
  try spawnChecked(posix_spawn_file_actions_adddup2(&actions, output, 1))

  var attributes = posix_spawnattr_t()
  try spawnChecked(posix_spawnattr_init(&attributes))
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  try spawnChecked(posix_spawnattr_setsigmask(&attributes, &signals))
  sigaddset(&signals, SIGPIPE)
  try spawnChecked(posix_spawnattr_setsigdefault(&attributes, &signals))
  var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
  if ownGroup {
    flags |= Int32(POSIX_SPAWN_SETPGROUP)
    try spawnChecked(posix_spawnattr_setpgroup(&attributes, 0))
  }
  try spawnChecked(posix_spawnattr_setflags(&attributes, Int16(flags)))

  let arguments: [UnsafeMutablePointer<CChar>?] = [
    strdup("/bin/sh"), strdup("-c"), strdup(command), nil,
  ]
  let variables = environment(with: additions)
  defer { for line in arguments + variables { free(line) } }
  var id: pid_t = 0
  try spawnChecked(
    posix_spawn(&id, "/bin/sh", &actions, &attributes, arguments, variables))
  return id
}

/// The spawn calls give their error as the result, and leave errno alone.
private func spawnChecked(_ result: Int32) throws(Errno) {
  if result != 0 { throw Errno(rawValue: result) }
}

/// Copies of this process's variables, byte for byte, but for those that `additions` name; then
/// those, and nil.
private func environment(with additions: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
  var lines: [UnsafeMutablePointer<CChar>?] = []
  var next = folio_environment()
  while let pointer = next, let line = pointer.pointee {
    let name = String(cString: line).prefix { $0 != "=" }
    if additions[String(name)] == nil { lines.append(strdup(line)) }
    next = pointer + 1
  }
  return lines + additions.map { strdup("\($0)=\($1)") } + [nil]
}

/// Looks after the child `id` without waiting, and takes its exit where it has ended.
func callWait(_ id: Int32) throws(Errno) -> WaitResult {
  var status: Int32 = 0
  while true {
    let result = waitpid(id, &status, WNOHANG)
    if result == 0 { return .running }
    if result == id { break }
    let code = errno
    if code != EINTR { throw Errno(rawValue: code) }
  }
  // The low seven bits are the signal that ended it, 0 where it ended by itself.
  let signal = status & 0x7f
  return .ended(
    signal == 0 ? .status((status >> 8) & 0xff) : .signal(Signal(rawValue: signal)))
}

/// Sends a signal to a process, or where `group` is set to all that are in its group.
func callKill(_ id: Int32, _ signal: Signal, group: Bool) {
  kill(group ? -id : id, signal.rawValue)
}
