import FolioDomain
import FolioWire

/// A page as Foundation's coders make typed values of it: the same ones that ours makes.
///
/// The members are read by the coders, and each leaf by the type's own reader of text.
struct TypedLine: Codable, Equatable {
  var entries: [Entry]
  var last: Position
  var more: Bool
  var re: UInt64
  var type: String

  struct Position: Codable, Equatable {
    var hash: Leaf<Hash256>
    var seq: UInt64
  }

  struct Entry: Codable, Equatable {
    var acceptedAt: Int64
    var body: Body
    var device: Leaf<DeviceID>
    var form: Form
    var id: Leaf<TransactionID>
    var kind: Kind
    var recordedAt: Int64
    var seq: UInt64
    var sequence: UInt64
  }

  enum Form: String, Codable { case plain, sealed }
  enum Kind: String, Codable { case accepted, void }

  struct Body: Codable, Equatable {
    var operations: [Operation]
    var seen: Seen?
  }

  enum OperationKind: String, Codable { case adjust, categorize }

  struct Operation: Codable, Equatable {
    var amount: Leaf<Amount>?
    var asset: Leaf<AssetKey>
    var category: String?
    var key: String?
    var kind: OperationKind
  }

  struct Seen: Codable, Equatable {
    var digest: Leaf<Hash256>?
    var hash: Leaf<Hash256>
    var log: Leaf<LogID>
    var seq: UInt64
  }
}

extension TypedLine {
  /// The same values as those of our side, to be compared.
  init(_ page: Page, _ bodies: [TransactionBody], re: UInt64) {
    entries = zip(page.entries, bodies).map { Entry($0, $1) }
    last = Position(hash: Leaf(page.last.hash), seq: page.last.seq)
    more = page.more
    self.re = re
    type = "page"
  }
}

extension TypedLine.Entry {
  init(_ entry: WireEntry, _ body: TransactionBody) {
    let transaction = entry.transaction
    self.init(
      acceptedAt: entry.acceptedAt.milliseconds, body: TypedLine.Body(body),
      device: Leaf(transaction.device), form: transaction.form == .plain ? .plain : .sealed,
      id: Leaf(transaction.id), kind: entry.kind == .accepted ? .accepted : .void,
      recordedAt: transaction.recordedAt.milliseconds, seq: entry.seq,
      sequence: transaction.deviceSequence)
  }
}

extension TypedLine.Body {
  init(_ body: TransactionBody) {
    operations = body.operations.compactMap(TypedLine.Operation.init)
    seen = body.seen.map { seen in
      TypedLine.Seen(
        digest: seen.stateDigest.map(Leaf.init), hash: Leaf(seen.position.hash),
        log: Leaf(seen.log), seq: seen.position.seq)
    }
  }
}

extension TypedLine.Operation {
  init?(_ operation: Operation) {
    switch operation {
    case .adjust(let asset, let amount):
      self.init(amount: Leaf(amount), asset: Leaf(asset), kind: .adjust)
    case .categorize(let asset, let category):
      self.init(
        asset: Leaf(asset), category: category.spelling.text, key: category.key.text,
        kind: .categorize)
    default: return nil
    }
  }
}

/// A value that has a text form of its own.
protocol TextForm: Equatable {
  init(text: String) throws
  var text: String { get }
}

/// A value in its text form.
struct Leaf<Value: TextForm>: Codable, Equatable {
  var value: Value
  init(_ value: Value) { self.value = value }

  init(from decoder: any Decoder) throws {
    value = try Value(text: decoder.singleValueContainer().decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value.text)
  }
}

extension Hash256: TextForm { init(text: String) throws { try self.init(text) } }
extension DeviceID: TextForm { init(text: String) throws { try self.init(text) } }
extension TransactionID: TextForm { init(text: String) throws { try self.init(text) } }
extension LogID: TextForm { init(text: String) throws { try self.init(text) } }
extension Amount: TextForm { init(text: String) throws { try self.init(wire: text) } }
extension AssetKey: TextForm { init(text: String) throws { try self.init(text) } }
