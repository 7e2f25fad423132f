import FolioSystem
import Glibc
import Testing

/// The permission bits of what stands at `path`.
private func mode(of path: String) -> UInt32 {
  var status = stat()
  #expect(stat(path, &status) == 0)
  return UInt32(status.st_mode) & 0o777
}

@Suite struct FilesTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  @Test func aWrittenFileReadsBackAndIsForTheUserAlone() throws {
    try Files.write([1, 2, 3], to: path("a"))
    #expect(try Files.read(path("a")) == [1, 2, 3])
    #expect(mode(of: path("a")) == 0o600)
    try Files.write([4], to: path("a"))
    #expect(try Files.read(path("a")) == [4])
    #expect(try Files.entries(of: folder.path) == ["a"], "no temporary file may stay behind")
  }

  @Test func aFailedWriteLeavesTheOldBytesAndNothingElse() throws {
    try Files.makeFolder(path("target"))
    #expect(throws: FileError.self) { try Files.write([1], to: path("target")) }
    #expect(try Files.entries(of: folder.path) == ["target"])
    let missing = path("no/such/file")
    let error = #expect(throws: FileError.self) { try Files.write([1], to: missing) }
    #expect(error?.code == "fileNotFound")
  }

  @Test func whatIsNoFileIsNotReplaced() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let error = #expect(throws: FileError.self) { try Files.write([1], to: path("pipe")) }
    #expect(error?.code == "fileExists")
    #expect(try Files.kind(of: path("pipe")) == .other)
  }

  @Test func aNewFileIsWhollyThereOrNotAtAll() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try Files.writeNew(path("a")) { append in
        try append([1])
        throw Stop()
      }
    }
    #expect(try Files.entries(of: folder.path).isEmpty)
    try Files.writeNew(path("a")) { append in for byte in 1...3 { try append([UInt8(byte)]) } }
    #expect(try Files.read(path("a")) == [1, 2, 3] && mode(of: path("a")) == 0o600)
    let taken = #expect(throws: FileError.self) { try Files.writeNew(path("a")) { try $0([9]) } }
    #expect(taken?.code == "fileExists")
    #expect(try Files.read(path("a")) == [1, 2, 3])
    #expect(try Files.entries(of: folder.path) == ["a"])
  }

  @Test func readingStopsAtTheLimit() throws {
    try Files.write([UInt8](repeating: 7, count: 200_000), to: path("a"))
    #expect(try Files.read(path("a"), byteCountMax: 200_000).count == 200_000)
    let error = #expect(throws: FileError.self) {
      try Files.read(path("a"), byteCountMax: 199_999)
    }
    #expect(error == .tooLarge(path: path("a"), byteCountMax: 199_999))
    #expect(error?.code == "fileTooLarge")
  }

  @Test func aMissingFileIsNamed() throws {
    let error = #expect(throws: FileError.self) { try Files.read(path("none")) }
    #expect(error?.errno == .notFound)
    #expect(
      error?.message == "cannot open \(path("none")): No such file or directory (ENOENT)")
  }

  @Test func foldersAreMadeWithTheirParentsForTheUserAlone() throws {
    #expect(try Files.makeFolder(path("a/b/c")))
    #expect(try !Files.makeFolder(path("a/b/c")))
    for name in ["a", "a/b", "a/b/c"] { #expect(mode(of: path(name)) == 0o700) }
    try Files.write([], to: path("file"))
    let error = #expect(throws: FileError.self) { try Files.makeFolder(path("file")) }
    #expect(error?.code == "fileExists")
    #expect(throws: FileError.self) { try Files.makeFolder(path("file/x")) }
  }

  @Test func kindsAreTold() throws {
    try Files.write([], to: path("file"))
    #expect(try Files.kind(of: path("file")) == .file)
    #expect(try Files.kind(of: folder.path) == .folder)
    #expect(try Files.kind(of: "/dev/null") == .other)
    #expect(try Files.kind(of: path("none")) == nil)
    #expect(try Files.kind(of: path("file/none")) == nil)
  }

  @Test func removingATreeDoesNotFollowLinks() throws {
    try Files.makeFolder(path("kept"))
    try Files.write([1], to: path("kept/file"))
    try Files.makeFolder(path("tree/inner"))
    try Files.write([1], to: path("tree/inner/file"))
    #expect(symlink(path("kept"), path("tree/inner/link")) == 0)
    #expect(symlink(path("kept"), path("link")) == 0)
    try Files.removeTree(path("tree"))
    try Files.removeTree(path("link"))
    try Files.removeTree(path("none"))
    #expect(try Files.entries(of: folder.path) == ["kept"])
    #expect(try Files.read(path("kept/file")) == [1])
  }

  @Test func aScratchFolderGoesWithItsLastReference() throws {
    var inner: ScratchFolder? = try ScratchFolder(prefix: "folio-test-")
    let path = try #require(inner?.path)
    try Files.write([1], to: "\(path)/file")
    #expect(mode(of: path) == 0o700)
    inner = nil
    #expect(try Files.kind(of: path) == nil)
  }

  @Test(arguments: [
    ("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b/", "a"), ("/a//b", "/a"),
  ])
  func theParentOfAPath(path: String, parent: String) {
    #expect(Files.parent(of: path) == parent)
  }
}

/// The mask of the process is shared by everything in it, so this test has its own process.
@Test func aWideOpenOrClosedMaskChangesNoMode() async {
  await #expect(processExitsWith: .success) {
    let folder = try ScratchFolder()
    for mask in [0, 0o777] as [mode_t] {
      umask(mask)
      let path = "\(folder.path)/\(mask)"
      try Files.makeFolder(path)
      try Files.write([1], to: "\(path)/file")
      var status = stat()
      stat(path, &status)
      precondition(status.st_mode & 0o777 == 0o700)
      stat("\(path)/file", &status)
      precondition(status.st_mode & 0o777 == 0o600)
    }
  }
}
