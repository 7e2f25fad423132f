import FolioDomain
import FolioGateway
import FolioServer
import FolioStore
import FolioSystem
import FolioWire
import TestSupport
import Testing

@testable import FolioApp

/// Peers of other times, whose side of the conversation is written by hand.
@Suite("Transcripts of versions")
struct RefusalTranscriptTests {
  private let hello =
    #"{"capabilities":["x.later"],"client":{"name":"later","version":"9"},"id":1,"later":{"a":[1]},"#
    + #""nonce":"0123456789abcdef0123456789abcdef","type":"hello","versions":[VERSIONS]}"#

  private func serverAnswers(_ line: String, _ record: inout TranscriptRecord) throws {
    let clock = ManualClock(try Timestamp("2026-03-01T07:00:00Z"))
    let random = SeededSource(seed: 6)
    let storage = MemoryServerStorage()
    _ = try storage.write(PrepareFolder(base: "USD", random: random, now: clock.now()))
    let hub = ServerHub(service: try ServerService(storage: storage, clock: clock, random: random))
    let id = try #require(hub.connect(at: .zero))
    record.connection("later")
    record.client(Array(line.utf8))
    hub.receive(Array(line.utf8) + [0x0A], on: id, at: .zero)
    hub.advance(at: .zero)
    for answer in Array(hub.output(of: id)).split(separator: 0x0A) {
      record.server(Array(answer), isLost: false)
    }
  }

  @Test("Clients that speak a later version, alone and beside this one")
  func laterClients() throws {
    var record = TranscriptRecord()
    try serverAnswers(hello.replacing("VERSIONS", with: "2"), &record)
    try serverAnswers(hello.replacing("VERSIONS", with: "2,1"), &record)
    try TranscriptFile("version-refused").expect(
      record, "a client of a later version is refused, and one that also speaks this one is not",
      ["hand-2", "hand-4", "hand-5", "conv-12", "ver-1"])
  }

  @Test("A server that speaks a later version alone")
  func laterServer() throws {
    var record = TranscriptRecord()
    let clock = ManualClock(try Timestamp("2026-03-01T07:00:00Z"))
    let folder = try TemporaryFolder("later")
    let options = AppOptions(clock: clock, random: SeededSource(seed: 8))
    let store = try Client.create(at: folder.path + "/store", options: options)
    defer { store.close() }
    var session = try SyncSession(
      storage: StoreSyncStorage(store: store, clock: clock), options: SyncOptions(account: "anna"),
      clock: clock, random: SeededSource(seed: 7),
      at: MonotonicTime(nanoseconds: 0))
    record.connection("phone")
    for case .send(let bytes) in session.start() { record.client(Array(bytes.dropLast())) }
    let refusal =
      #"{"action":"upgrade","class":"fatal","code":"version_unsupported","message":"no common version","#
      + #""re":1,"supported":[2,3],"type":"error"}"#
    record.server(Array(refusal.utf8), isLost: false)
    let outputs = session.receive(
      Array(refusal.utf8) + [0x0A], at: MonotonicTime(nanoseconds: 0))
    #expect(outputs.allSatisfy { if case .send = $0 { false } else { true } })
    guard case .failed(let error as SyncError)? = session.outcome else {
      Issue.record("the session goes on")
      return
    }
    #expect(error == .versionRefused(supported: [2, 3]))
    #expect(!error.isRetryable)
    try TranscriptFile("server-of-later").expect(
      record, "a server of a later version refuses; the client closes and asks a person",
      ["hand-2", "conv-12", "error-2"])
  }
}
