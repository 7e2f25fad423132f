import FolioSystem
import Synchronization
import TestSupport
import Testing

@Suite("Waiting for a file to be written, and local time")
struct FileWatchTests {
  @Test("Woken by a write of another process, and by its end")
  func woken() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/file"
    try Files.write([1], to: path)
    let watch = try FileWatch(path)
    #expect(try CommandRun.shell("printf x >> '\(path)'").status == 0)
    #expect(watch.wait())
    #expect(watch.pause(milliseconds: 1))
    let waiting = SystemThread {
      while watch.wait() {}
    }
    watch.end()
    waiting.join()
    #expect(!watch.wait(), "once ended, it stays so")
    #expect(!watch.pause(milliseconds: 1_000))
  }

  @Test("A file that is not there cannot be watched")
  func missing() throws {
    let folder = try ScratchFolder()
    let error = #expect(throws: FileError.self) { try FileWatch(folder.path + "/none") }
    #expect(error?.code == "fileNotFound")
  }

  @Test("Names of zones that are none, or lead elsewhere, are refused")
  func zones() {
    for name in ["", "Mars/Base", "../passwd", "/etc/passwd", "Europe", "Europe/Berlin\n", "a b"] {
      #expect(!LocalTime.use(zone: name), "\(name)")
    }
  }
}
