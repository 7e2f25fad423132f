import FolioDomain
import FolioStore
import FolioWire
import Foundation
import TestSupport
import Testing

@Suite("Transcripts")
struct TranscriptTests {
  /// Holds a record against the published file; `FOLIO_RECORD` in the environment publishes it.
  private func expect(
    _ stage: Stage, _ file: String, _ name: String, _ requirements: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try TranscriptFile(file).expect(
      stage.record, name, requirements, sourceLocation: sourceLocation)
  }

  @Test("A first sync, with prices and assets")
  func firstSync() throws {
    let stage = try Stage()
    try stage.importAssets([("crypto:bitcoin", "BTC"), ("stock:ABC", "ABC")])
    try stage.importPrices(
      [("crypto:bitcoin", "60000"), ("stock:ABC", "10.5")], at: "2026-03-01T05:00:00Z")
    let phone = try stage.client("phone")
    try phone.add("0.5", "crypto:bitcoin", to: "Coins")
    try phone.add("3", "stock:ABC")
    try phone.sync()
    stage.clock.advance(milliseconds: 6 * 3_600_000)
    try stage.importPrices([("crypto:bitcoin", "61000.25")], at: "2026-03-01T11:00:00Z")
    try phone.sync()
    try stage.end(phone)
    try expect(
      stage, "first-sync", "a first sync, and one six hours later",
      ["hand-1", "hand-7", "sync-6", "sync-7", "price-1", "price-3", "snap-1", "save-3", "sdig-2"])
  }

  @Test("A long log, whose reading is cut off and goes on")
  func resume() throws {
    let stage = try Stage()
    let tablet = try stage.client("tablet")
    for n in 1...5 { try tablet.add("\(n)", "stock:S\(n)") }
    try tablet.sync()
    stage.limits = Limits(entries: 2)
    var pages = 0
    stage.loses = { message in
      guard case .reply(_, .page) = message else { return false }
      pages += 1
      return pages == 2
    }
    let phone = try stage.client("phone")
    try phone.add("1", "stock:S1")
    try phone.sync()
    try stage.end(phone)
    try expect(
      stage, "resume", "reading is cut off after a page, and goes on from the cursor",
      ["pull-2", "pull-5", "sync-1", "sync-2", "sync-6"])
  }

  @Test("An acknowledgement that is lost")
  func lostAcknowledgement() throws {
    let stage = try Stage()
    let phone = try stage.client("phone")
    try phone.sync()
    try phone.add("1", "crypto:bitcoin")
    try phone.add("2", "crypto:bitcoin")
    var acks = 0
    stage.loses = { message in
      guard case .reply(_, .ack) = message else { return false }
      acks += 1
      return acks == 1
    }
    try phone.sync()
    try stage.end(phone)
    try expect(
      stage, "lost-acknowledgement", "an acknowledgement is lost, and nothing is sent twice",
      ["once-1", "once-7", "once-8", "hand-7"])
  }

  @Test("A transaction that can never be taken")
  func voidTransaction() throws {
    let stage = try Stage()
    let phone = try stage.client("phone")
    try phone.sync()
    try phone.add("1", "crypto:bitcoin")
    try phone.add("2", "crypto:bitcoin")
    let first = try phone.store.read {
      try $0.pending(after: 0, maxCount: 1, maxByteCount: 1).first?.transaction.id
    }
    let id = try #require(first)
    try phone.store.write { try $0.void(id, reason: "body_too_long") }
    try phone.sync()
    try stage.end(phone)
    try expect(
      stage, "void-transaction", "a placeholder takes the place of what can never be taken",
      ["once-6", "read-8", "eff-2"])
  }

  @Test("A server that was put back")
  func rolledBack() throws {
    let stage = try Stage()
    let phone = try stage.client("phone")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    let backup = stage.backUp()
    try phone.add("2", "crypto:bitcoin")
    try phone.sync()
    try stage.restore(backup)
    try phone.add("4", "crypto:bitcoin")
    try phone.sync()
    try stage.end(phone)
    try expect(
      stage, "server-rolled-back", "the server was put back, and gets again what it lacks",
      ["sync-3", "refill-1", "once-9"])
  }

  @Test("A server that was emptied and is filled again")
  func emptied() throws {
    let stage = try Stage()
    let phone = try stage.client("phone")
    let tablet = try stage.client("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try tablet.add("2", "crypto:bitcoin", to: "Coins")
    try tablet.sync()
    try phone.sync()
    try stage.emptyServer()
    try phone.add("4", "stock:ABC")
    try phone.sync()
    try tablet.sync()
    try stage.end(phone, tablet)
    try expect(
      stage, "server-emptied", "the server was emptied, and a client fills it again",
      ["sync-3", "refill-1", "refill-2", "sdig-1"])
  }

  @Test("Logs that fork")
  func forked() throws {
    let stage = try Stage()
    let phone = try stage.client("phone")
    let tablet = try stage.client("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try tablet.sync()
    let backup = stage.backUp()
    try phone.add("2", "crypto:bitcoin")
    try phone.sync()
    try stage.restore(backup)
    for n in 1...3 { try tablet.add("\(n)0", "crypto:bitcoin") }
    try tablet.sync()
    try phone.add("100", "crypto:bitcoin")
    try phone.sync()
    try stage.end(phone)
    try expect(
      stage, "forked-log",
      "the logs have forked: what the server lacks is given to it, and all is read anew",
      ["sync-3", "sync-6", "once-5"])
  }

  @Test("A store that was copied")
  func copied() throws {
    let stage = try Stage()
    let phone = try stage.client("phone")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try phone.add("2", "crypto:bitcoin")
    let copy = try stage.copy(phone, as: "copy")
    try phone.add("4", "crypto:bitcoin")
    try phone.sync()
    try copy.add("8", "crypto:bitcoin")
    try copy.sync()
    try phone.sync()
    try stage.end(phone, copy)
    try expect(
      stage, "copied-device", "a store was copied: the copy takes another device id",
      ["once-3", "once-9", "over-1"])
  }
}

/// A published transcript.
struct TranscriptFile {
  let url: URL

  init(_ name: String) {
    url = Published.vectors.appending(path: "transcripts/\(name).ndjson")
  }

  /// Expects that a record is what is published, line by line.
  func expect(
    _ record: TranscriptRecord, _ name: String, _ requirements: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = try record.text(name: name, requirements: requirements)
    if ProcessInfo.processInfo.environment["FOLIO_RECORD"] != nil {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
      return
    }
    let published = try String(contentsOf: url, encoding: .utf8)
    let lines = zip(published.split(separator: "\n"), text.split(separator: "\n"))
    for (index, (expected, line)) in lines.enumerated() where expected != line {
      Issue.record(
        "line \(index + 1) is\n\(line)\nnot\n\(expected)", sourceLocation: sourceLocation)
      return
    }
    #expect(published.utf8.count == text.utf8.count, sourceLocation: sourceLocation)
  }
}
