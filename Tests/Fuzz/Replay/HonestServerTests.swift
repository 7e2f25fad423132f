import FolioDomain
import FolioServer
import FolioSystem
import FolioWire
import TestSupport
import Testing
import WireLaws

@testable import SessionLaws

/// What a real server says to the client under trial: scripts to begin with that get to the end.
///
/// With `FOLIO_FUZZ_SEEDS` they are written to the folder that it names.
@Suite("A client under trial, with a server that is honest")
struct HonestServerTests {
  @Test(
    "The conversation gets to its end",
    arguments: ["", "3", "33/3/", "3/3/3/", "L/", "L3/3/", "3B3/", "3L/", "M/", "ML3/3/"])
  func wholeConversation(_ course: String) throws {
    var recording = try Recording()
    for step in course { try recording.take(step) }
    try recording.take("/")
    #expect(recording.trial.isFinished)
    try recording.trial.finish()
    // The same bytes again, without the server.
    try Law.client.check(recording.script)
    if let folder = ProcessEnvironment.value(of: "FOLIO_FUZZ_SEEDS") {
      let name = "honest-" + course.map { $0 == "/" ? "-" : String($0) }.joined()
      try Files.write(recording.script, to: "\(folder)/\(name)")
    }
  }
}

/// A client under trial and a server in memory, and the script that the server's words make.
private struct Recording {
  var trial: ClientTrial
  private(set) var script: [UInt8] = []
  private var served = 0
  private var backup: MemoryServerStorage
  private var storage: MemoryServerStorage

  init() throws {
    trial = try ClientTrial(isPlanted: false)
    storage = try PreparedStorage.withAccount.get().copied()
    backup = storage
  }

  private mutating func add(_ bytes: some Sequence<UInt8>) throws {
    for byte in bytes {
      script.append(byte)
      try trial.take(byte)
    }
  }

  /// `3`: an edit; `/`: a sync, and a new connection after it; `L`: another device's transactions;
  /// `M`: prices and assets; `B`: the server is as it was at the start.
  mutating func take(_ step: Character) throws {
    switch step {
    case "3": try add([3])
    case "L": try pushFromElsewhere()
    case "M": try addPrices()
    case "B": storage = backup.copied()
    default:
      if trial.isFinished { try add([0]) }
      try converse()
    }
  }

  private mutating func converse() throws {
    served = trial.connectionStart
    let service = try ServerService(
      storage: storage, clock: ManualClock(PreparedStorage.now), random: SeededSource(seed: 6))
    let hub = ServerHub(service: service)
    guard let id = hub.connect(at: .zero) else { return }
    while served < trial.sent.count {
      hub.receive(trial.sent[served...], on: id, at: .zero)
      served = trial.sent.count
      hub.advance(at: .zero)
      let output = Array(hub.output(of: id))
      hub.sent(output.count, on: id, at: .zero)
      try add(output + [2])
    }
  }

  private func pushFromElsewhere() throws {
    let transactions = (1...3).map { number in
      PushedTransaction(
        Envelope(
          id: TransactionID(UInt128(1000 + number)), device: DeviceID(9),
          deviceSequence: UInt64(number), recordedAt: PreparedStorage.now,
          body: Array(#"{"operations":[]}"#.utf8)))
    }
    let submission = LogSubmission(
      account: PreparedStorage.account, device: DeviceID(9), action: .push(transactions))
    _ = try storage.write(SubmitToLogs([submission], now: PreparedStorage.now))
  }

  private func addPrices() throws {
    let text =
      "time,type,id,price\n2026-02-28T05:00:00Z,crypto,a,1\n2026-02-28T05:00:00Z,forex,EUR,1.08\n"
      + "2026-02-28T11:00:00Z,crypto,a,1\n2026-02-28T11:00:00Z,forex,EUR,1.09\n"
    let file = try Array(text.utf8).withUnsafeBytes { try PriceFile($0, base: "USD") }
    _ = try storage.write(ImportPrices(file.observations, now: PreparedStorage.now))
    let asset = #"{"type":"crypto","id":"a","symbol":"A","name":"An asset","rank":1}"#
    let assets = Array(asset.utf8).withUnsafeBytes { AssetFile($0) }
    _ = try storage.write(ImportAssets(assets.assets))
  }
}
