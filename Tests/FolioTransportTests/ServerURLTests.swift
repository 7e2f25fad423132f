import FolioTransport
import Testing

@Suite struct ServerURLTests {
  @Test(arguments: [
    "stdio:folio-server --data d serve --stdio --account me",
    "stdio: spaces are the shell's ",
    "tcp://127.0.0.1:7070", "tcp://127.255.0.9:1", "tcp://localhost:65535", "tcp://[::1]:8080",
  ])
  func theTextOfAServerComesBack(text: String) throws {
    #expect(try ServerURL(text).description == text)
  }

  @Test func aCommandIsTakenAsItStands() throws {
    #expect(try ServerURL("stdio:ssh host 'a b'") == .command("ssh host 'a b'"))
  }

  @Test(arguments: [
    ("tls://example.org:1", "tlsNotOffered"),
    ("http://localhost:1", "serverSchemeUnknown"),
    ("TCP://localhost:1", "serverSchemeUnknown"),
    ("localhost:1", "serverSchemeUnknown"),
    ("", "serverSchemeUnknown"),
    ("stdio:", "serverCommandMissing"),
    ("stdio: \t", "serverCommandMissing"),
    ("stdio:a\0b", "serverMalformed"),
    ("tcp://localhost", "serverPortMissing"),
    ("tcp://localhost:", "serverPortMalformed"),
    ("tcp://localhost:0", "serverPortMalformed"),
    ("tcp://localhost:65536", "serverPortMalformed"),
    ("tcp://localhost:+80", "serverPortMalformed"),
    ("tcp://localhost:80/", "serverPortMalformed"),
    ("tcp://localhost:８０", "serverPortMalformed"),
    ("tcp://:80", "serverHostNotLoopback"),
    ("tcp://0.0.0.0:80", "serverHostNotLoopback"),
    ("tcp://10.0.0.1:80", "serverHostNotLoopback"),
    ("tcp://128.0.0.1:80", "serverHostNotLoopback"),
    ("tcp://127.1:80", "serverHostNotLoopback"),
    ("tcp://0177.0.0.1:80", "serverHostNotLoopback"),
    ("tcp://127.0.0.256:80", "serverHostNotLoopback"),
    ("tcp://127.0.0.1.:80", "serverHostNotLoopback"),
    ("tcp://example.org:80", "serverHostNotLoopback"),
    ("tcp://localhost.example.org:80", "serverHostNotLoopback"),
    ("tcp://user@127.0.0.1:80", "serverHostNotLoopback"),
    ("tcp://::1:80", "serverHostNotLoopback"),
    ("tcp://[::]:80", "serverHostNotLoopback"),
    ("tcp://[::ffff:127.0.0.1]:80", "serverHostNotLoopback"),
  ])
  func whatIsNoServerIsRefusedByName(text: String, code: String) {
    let error = #expect(throws: ServerURLError.self) { try ServerURL(text) }
    #expect(error?.code == code)
    #expect(error?.message.isEmpty == false)
    #expect(error?.hint.isEmpty == false)
  }

  @Test func theLengthIsLimited() throws {
    let room = ServerURL.byteCountMax - "stdio:".utf8.count
    #expect(throws: Never.self) { try ServerURL("stdio:" + String(repeating: "x", count: room)) }
    let error = #expect(throws: ServerURLError.self) {
      try ServerURL("stdio:" + String(repeating: "x", count: room + 1))
    }
    #expect(error == .tooLong(byteCount: ServerURL.byteCountMax + 1))
  }

  @Test func portZeroIsForListeningOnly() throws {
    #expect(try LoopbackAddress("127.0.0.1:0").port == 0)
  }
}
