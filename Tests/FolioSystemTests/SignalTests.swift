import FolioSystem
import Glibc
import Testing

@Suite struct SignalTests {
  @Test func signalsComeThroughThePipeInAProcessOfTheirOwn() async {
    await #expect(processExitsWith: .success) {
      let pipe = try SignalPipe([.terminate, .hangup])
      precondition(pipe.take().isEmpty)
      kill(getpid(), SIGHUP)
      kill(getpid(), SIGTERM)
      var seen: [Signal] = []
      while seen.count < 2 {
        var entry = pollfd(fd: pipe.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        precondition(poll(&entry, 1, 5_000) == 1)
        seen += pipe.take()
      }
      precondition(Set(seen) == [.terminate, .hangup])
    }
  }

  @Test func afterwardsASignalDoesWhatItDoesByDefault() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      _ = try SignalPipe([.terminate])
      kill(getpid(), SIGTERM)
      sleep(5)
    }
  }

  @Test func writingWhereNobodyReadsIsAnErrorAndNoEnd() async {
    await #expect(processExitsWith: .success) {
      Signal.ignoreBrokenPipe()
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      close(ends[0])
      do throws(Errno) {
        try FileDescriptor(rawValue: ends[1]).writeAll([1])
        preconditionFailure()
      } catch {
        precondition(error == .brokenPipe)
      }
    }
  }
}
