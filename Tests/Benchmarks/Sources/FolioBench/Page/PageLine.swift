import FolioDomain
import FolioWire

/// A page as Foundation's coders are given it: the same members, as plain as they can be.
struct PageLine: Codable, Equatable {
  var entries: [Entry]
  var last: Position
  var more: Bool
  var re: UInt64
  var type: String

  struct Position: Codable, Equatable {
    var hash: String
    var seq: UInt64
  }

  struct Entry: Codable, Equatable {
    var acceptedAt: Int64
    var body: Body
    var device: String
    var form: String
    var id: String
    var kind: String
    var recordedAt: Int64
    var seq: UInt64
    var sequence: UInt64
  }

  struct Body: Codable, Equatable {
    var operations: [Operation]
    var seen: Seen?
  }

  struct Operation: Codable, Equatable {
    var amount: String?
    var asset: String
    var category: String?
    var key: String?
    var kind: String
  }

  struct Seen: Codable, Equatable {
    var digest: String?
    var hash: String
    var log: String
    var seq: UInt64
  }
}

extension PageLine {
  /// The same values as those of our side, to be compared.
  init(_ page: Page, _ bodies: [TransactionBody], re: UInt64) {
    entries = zip(page.entries, bodies).map { Entry($0, $1) }
    last = Position(hash: page.last.hash.text, seq: page.last.seq)
    more = page.more
    self.re = re
    type = "page"
  }
}

extension PageLine.Entry {
  init(_ entry: WireEntry, _ body: TransactionBody) {
    let transaction = entry.transaction
    self.init(
      acceptedAt: entry.acceptedAt.milliseconds, body: PageLine.Body(body),
      device: transaction.device.text, form: transaction.form == .plain ? "plain" : "sealed",
      id: transaction.id.text, kind: entry.kind == .accepted ? "accepted" : "void",
      recordedAt: transaction.recordedAt.milliseconds, seq: entry.seq,
      sequence: transaction.deviceSequence)
  }
}

extension PageLine.Body {
  init(_ body: TransactionBody) {
    operations = body.operations.map(PageLine.Operation.init)
    seen = body.seen.map { seen in
      PageLine.Seen(
        digest: seen.stateDigest?.text, hash: seen.position.hash.text, log: seen.log.text,
        seq: seen.position.seq)
    }
  }
}

extension PageLine.Operation {
  init(_ operation: Operation) {
    switch operation {
    case .adjust(let asset, let amount):
      self.init(amount: amount.text, asset: asset.text, kind: "adjust")
    case .categorize(let asset, let category):
      self.init(
        asset: asset.text, category: category.spelling.text, key: category.key.text,
        kind: "categorize")
    default: self.init(asset: "", kind: "not of this page")
    }
  }
}
