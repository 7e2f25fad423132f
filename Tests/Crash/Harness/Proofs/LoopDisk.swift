import CrashInterposer
import FolioSystem
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file system of its own, ext4 in a file that is mounted, whose power can be cut.
///
/// It takes a superuser, and a kernel that has loop devices.
final class LoopDisk {
  private let scratch: TemporaryFolder
  private var image: String
  /// Where it is mounted.
  let path: String

  /// Makes one.
  ///
  /// - Throws: ``Skipped`` where none can be made here.
  init() throws {
    scratch = try TemporaryFolder("loop")
    image = scratch.path + "/image"
    path = scratch.path + "/disk"
    try Self.run("truncate -s 64M '\(image)' && mkfs.ext4 -q -F '\(image)' && mkdir '\(path)'")
    try mount()
  }

  deinit { _ = try? CommandRun.shell("umount '\(path)'") }

  /// Loses all that was not synced: nothing is written from now on, the journal of the file system
  /// not either.
  func cut() throws {
    let error = crash_shut_down(path)
    if error != 0 { throw Skipped("no power can be cut here: \(String(cString: strerror(error)))") }
  }

  /// Mounts what is left of it, as after a start.
  ///
  /// A copy of it: where somebody else still holds the mount, the file would be mounted as it was, and
  /// without power.
  func startAgain() throws {
    let next = image.hasSuffix("-") ? String(image.dropLast()) : image + "-"
    try Self.run("cp --sparse=always '\(image)' '\(next)' && umount '\(path)' && rm '\(image)'")
    image = next
    try mount()
  }

  private func mount() throws { try Self.run("mount -o loop '\(image)' '\(path)'") }

  private static func run(_ line: String) throws {
    let run = try CommandRun.shell(line)
    guard run.status == 0 else { throw Skipped("no disk can be mounted here: \(run.errors)") }
  }
}

/// Why a proof cannot be run on a machine.
struct Skipped: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason.split(separator: "\n").first.map(String.init) ?? ""
  }
}
