import FolioSystem
import FolioTransport
import Glibc
import Testing

@Suite struct ChildProcessTests {
  @Test func aCommandIsSpokenToOverItsStandardStreams() throws {
    let connection = try ServerURL("stdio:tr a-z A-Z").connect()
    try connection.write("folio\n")
    connection.finishSending()
    #expect(try connection.readToEnd() == Array("FOLIO\n".utf8))
    connection.close()
    #expect(connection.child?.exitIfEnded() == .status(0))
  }

  @Test func aCommandThatIsNotThereShowsByItsExit() throws {
    let connection = try ChildProcess.start("exec /no/such/program 2>/dev/null")
    #expect(try connection.readToEnd() == [])
    let exit = try #require(connection.child?.waitForExit(until: soon()))
    #expect(exit == .status(127))
    #expect(exit.description == "ended with status 127")
  }

  @Test func variablesAreGivenBesideThoseOfThisProcess() throws {
    let connection = try ChildProcess.start(
      "echo \"$FOLIO_TEST_ADDED:${PATH:+path}:$HOME\"",
      variables: ["FOLIO_TEST_ADDED": "a b", "HOME": "/elsewhere"])
    #expect(try connection.readToEnd() == Array("a b:path:/elsewhere\n".utf8))
  }

  @Test func aChildThatIgnoresReadsMeetsTheWritersDeadlineAndIsEnded() throws {
    let connection = try ChildProcess.start("exec sleep 100")
    let much = [UInt8](repeating: 1, count: 1 << 20)
    #expect(throws: TransportError.timedOut) { try connection.writeAll(much, until: after(100)) }
    let child = try #require(connection.child)
    _ = child.end(grace: .milliseconds(50))
    #expect(child.waitForExit(until: soon()) == .signal(.terminate))
    #expect(child.end(grace: .zero) == .signal(.terminate), "asked again it says the same")
    connection.close()
  }

  @Test func aChildThatIgnoresRequestsToEndIsKilled() throws {
    let connection = try ChildProcess.start("trap '' TERM; echo ready; sleep 100; echo never")
    #expect(try connection.readExactly(6) == Array("ready\n".utf8))
    let child = try #require(connection.child)
    _ = child.end(grace: .milliseconds(50))
    #expect(child.waitForExit(until: soon()) == .signal(.kill))
    #expect(child.end(grace: .zero) == .signal(.kill), "asked again it says the same")
  }

  @Test func whatAChildStartedEndsWithIt() throws {
    // The inner process holds the output open: only its end makes ours come.
    let connection = try ChildProcess.start("sleep 100 & sleep 100", ownGroup: true)
    let child = try #require(connection.child)
    _ = child.end(grace: .milliseconds(50))
    #expect(child.waitForExit(until: soon()) == .signal(.terminate))
    #expect(child.end(grace: .zero) == .signal(.terminate), "asked again it says the same")
    #expect(try connection.readChunk(until: soon()) == [])
  }

  @Test func aChildInheritsNothingButItsStandardStreams() async {
    await #expect(processExitsWith: .success) {
      // What this process itself was handed without the mark to close it is not ours to hide.
      let handed = (3..<1_024 as Range<Int32>).filter { fcntl($0, F_GETFD) == 0 }
      let others = try (0..<3).map { _ in try DescriptorConnection.pair() }
      let connection = try ChildProcess.start("cd /proc/self/fd && echo *")
      let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
      let seen = Set(text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) })
      // The shell has at most one descriptor of its own, for the folder it lists.
      precondition(seen.subtracting(handed).subtracting([0, 1, 2]).count <= 1)
      precondition(others.count == 3)
    }
  }

  @Test func aChildIsEndedByABrokenPipeAsUsual() throws {
    _ = try DescriptorConnection.pair()
    let connection = try ChildProcess.start(
      "sh -c 'kill -s PIPE $$; echo alive' 2>/dev/null; echo $?")
    #expect(try connection.readToEnd() == Array("\(128 + SIGPIPE)\n".utf8))
  }

  @Test func fiftyMegabytesGoThroughAChild() throws {
    let connection = try ChildProcess.start("exec cat")
    var bytes = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    while bytes.count < 50 << 20 { bytes += bytes }
    let isRight = try connection.exchangeAll(bytes) == bytes
    #expect(isRight)
  }
}
