/// Waits until a file is written to, by whichever process.
///
/// On Linux the system tells, and nothing runs while nothing is written. Elsewhere, and where the
/// system has no more watches to give, the waiting ends every quarter of a second.
public final class FileWatch: Sendable {
  private let events: Int32?
  private let bell: (ring: Int32, heard: Int32)

  /// Watches a file, which must be there.
  public init(_ path: String) throws(FileError) {
    do throws(Errno) {
      let ends = try systemPipe()
      bell = (ends.write, ends.read)
    } catch {
      throw .failed(operation: "watch", path: path, errno: error)
    }
    do throws(Errno) {
      events = try systemWatch(path)
    } catch {
      systemCloseAll([bell.ring, bell.heard])
      throw .failed(operation: "watch", path: path, errno: error)
    }
  }

  deinit {
    systemCloseAll([bell.ring, bell.heard] + (events.map { [$0] } ?? []))
  }

  /// Waits until the file is written to, or the watch is ended.
  ///
  /// - Returns: False once the watch was ended. Without news of the system, true after a while.
  public func wait() -> Bool {
    let ready = systemWaitUntilReadable(
      [bell.heard] + (events.map { [$0] } ?? []), milliseconds: events == nil ? 250 : -1)
    if ready.contains(bell.heard) { return false }
    if let events { systemDrain(events) }
    return true
  }

  /// Lets that time go by, so that what is written again and again is looked at together.
  ///
  /// - Returns: False once the watch was ended.
  public func pause(milliseconds: Int) -> Bool {
    systemWaitUntilReadable([bell.heard], milliseconds: Int32(milliseconds)).isEmpty
  }

  /// Ends the waiting, now and later.
  public func end() {
    systemRing(bell.ring)
  }
}
