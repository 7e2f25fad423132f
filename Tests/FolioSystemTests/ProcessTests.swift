import FolioSystem
import Glibc
import Testing

@Suite struct ProcessTests {
  @Test func theMemoryOfAProcessIsTold() throws {
    let memory = try #require(ProcessMemory.current())
    #expect(memory.anonymousByteCount > 100_000)
    #expect(memory.mappedByteCount > 100_000)
    #expect(ProcessMemory.of(process: getpid()) != nil)
    #expect(ProcessMemory.of(process: .max) == nil)
  }

  @Test func memoryThatIsTouchedIsCounted() async {
    // In a process of its own: here other tests take and give back memory meanwhile.
    await #expect(processExitsWith: .success) {
      let before = ProcessMemory.current()?.anonymousByteCount ?? .max
      let block = [UInt8](repeating: 1, count: 64 << 20)
      let after = ProcessMemory.current()?.anonymousByteCount ?? 0
      precondition(after - before > 32 << 20 && block[12_345] == 1)
    }
  }

  @Test func errorsHaveNumberNameAndMessage() {
    #expect(Errno.notFound.description == "No such file or directory (ENOENT)")
    #expect(Errno(rawValue: 9_999).name == "E9999")
  }

  @Test func variablesAreReadAndEmptyOnesDoNotCount() async {
    await #expect(processExitsWith: .success) {
      setenv("FOLIO_TEST_SET", "value", 1)
      setenv("FOLIO_TEST_EMPTY", "", 1)
      precondition(ProcessEnvironment.value(of: "FOLIO_TEST_SET") == "value")
      precondition(ProcessEnvironment.value(of: "FOLIO_TEST_EMPTY") == nil)
      precondition(ProcessEnvironment.value(of: "FOLIO_TEST_NONE") == nil)
      setenv("HOME", "/home/somebody", 1)
      unsetenv("XDG_DATA_HOME")
      precondition(
        ProcessEnvironment.dataFolder(for: "folio") == "/home/somebody/.local/share/folio")
      setenv("XDG_DATA_HOME", "/data", 1)
      precondition(ProcessEnvironment.dataFolder(for: "folio") == "/data/folio")
      setenv("XDG_DATA_HOME", "not/absolute", 1)
      precondition(
        ProcessEnvironment.dataFolder(for: "folio") == "/home/somebody/.local/share/folio")
    }
  }

  @Test func aFileIsNoTerminal() throws {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    #expect(!Terminal.isTerminal(FileDescriptor(rawValue: descriptor)))
  }

  @Test func aTerminalTellsItsWidth() throws {
    var controller: Int32 = -1
    var terminal: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 97, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&controller, &terminal, nil, nil, &size) == 0)
    defer {
      close(controller)
      close(terminal)
    }
    #expect(Terminal.isTerminal(FileDescriptor(rawValue: terminal)))
    #expect(Terminal.width(of: FileDescriptor(rawValue: terminal)) == 97)
  }
}
