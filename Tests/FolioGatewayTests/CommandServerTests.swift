import FolioDomain
import FolioSystem
import FolioTransport
import TestSupport
import Testing

@testable import FolioGateway

/// Servers that are commands, and are none.
@Suite("A server's command")
struct CommandServerTests {
  private func run(_ command: String) -> (error: SyncError?, attempts: Int) {
    var attempts = 0
    var driver = SyncDriver(
      storage: MemoryStorage(device: 1), options: SyncOptions(account: "me"),
      clock: ManualClock(Timestamp(milliseconds: 0)), random: SeededSource(seed: 1),
      connect: {
        attempts += 1
        return try ChildProcess.start(command)
      })
    let error = #expect(throws: SyncError.self) { try driver.run() }
    return (error, attempts)
  }

  @Test("One that does not exist is not tried again")
  func missing() {
    let (error, attempts) = run("exec /nonexistent/program 2>/dev/null")
    #expect(error?.code == "serverCannotRun")
    #expect(error?.kind == .unreachable)
    #expect(attempts == 1)
  }

  @Test("One that speaks something else broke the protocol")
  func chatty() {
    let (error, attempts) = run("echo Welcome; sleep 1")
    #expect(error?.kind == .protocolBroken)
    #expect(attempts == 1)
  }

  @Test("One that ends in the middle of a line")
  func unterminated() {
    let (error, _) = run("printf '{\"type\":'")
    #expect(error?.kind == .unreachable)
  }

  @Test("One that says nothing and ends is tried three times")
  func silent() {
    var (error, attempts) = run("true")
    #expect(error?.kind == .unreachable)
    #expect(attempts == 3)
    (error, attempts) = run("exit 3")
    #expect(error?.message.contains("status 3") == true)
  }
}
