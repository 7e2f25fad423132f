import FolioDomain
import TestSupport
import Testing

/// A device's pending transactions, made as a store would.
struct Outbox {
  var device = DeviceID(9)
  private(set) var pending: [Envelope] = []

  mutating func save(_ operations: [FolioDomain.Operation]) throws {
    let body = TransactionBody(seen: nil, operations: operations)
    let sequence = UInt64(pending.count) + 1
    pending.append(
      Envelope(
        id: TransactionID(1_000 + UInt128(sequence)), device: device, deviceSequence: sequence,
        recordedAt: Timestamp(milliseconds: 1_772_500_000_000 + Int64(sequence)),
        body: try body.encoded()))
  }
}

@Suite("The overlay of what is pending")
struct OverlayTests {
  private let bitcoin = AssetKey(type: .crypto, id: AssetID(unchecked: "bitcoin"))
  private let through = Slot(index: 82_100)

  /// Holds [over-2].
  @Test("What is pending is shown over accepted state, and is not in its history")
  func overlay() throws {
    var log = LogBuilder()
    try log.append([.adjust(bitcoin, try Amount("1"))])
    var outbox = Outbox()
    try outbox.save([
      .adjust(bitcoin, try Amount("2")), .categorize(bitcoin, try Category(named: "Coins")),
    ])
    let overlay = Overlay(log.state, through: through, pending: outbox.pending)
    let holding = overlay.holding(of: bitcoin)
    #expect(holding.amount.decimalText == "3")
    #expect(holding.category.spelling.text == "Coins")
    #expect(overlay.accepted == log.state)
    #expect(overlay.accepted.asset(bitcoin, through: through).amount.decimalText == "1")
    #expect(overlay.accepted.asset(bitcoin, through: through).category == nil)
  }

  @Test("Pending edits come out of the overlay without a trace when they are voided")
  func voided() throws {
    var random = SeededRandom()
    for _ in 0..<60 {
      let log = try random.log(entryCount: random.int(0...15))
      var outbox = Outbox()
      for _ in 0..<random.int(1...5) {
        try outbox.save((0..<random.int(1...3)).map { _ in random.operation() })
      }
      let gone = random.pick(outbox.pending)
      let rest = outbox.pending.filter { $0.id != gone.id }
      let before = Overlay(log.state, through: through, pending: rest)
      // The voided one comes back from the server as a void entry, or as none at all.
      var after = log
      after.append(
        Envelope(
          id: gone.id, device: gone.device, deviceSequence: 1, recordedAt: gone.recordedAt,
          body: TransactionBody.placeholderBody(reason: "bodyTooLarge")), kind: .void)
      let overlay = Overlay(after.state, through: through, pending: rest)
      #expect(overlay.portfolio == before.portfolio)
      #expect(overlay.documents(in: .record) == before.documents(in: .record))
    }
  }

  @Test("Pending edits move from the overlay into accepted state when their entries arrive")
  func arrived() throws {
    var random = SeededRandom()
    for _ in 0..<60 {
      var log = try random.log(entryCount: random.int(0...15))
      var outbox = Outbox()
      for _ in 0..<random.int(1...5) {
        try outbox.save((0..<random.int(1...3)).map { _ in random.operation() })
      }
      let shown = Overlay(log.state, through: nil, pending: outbox.pending)
      // Nothing else arrives, and their times are greater than all before: the same is shown.
      let last = log.state.greatestEffectiveAt ?? Timestamp(milliseconds: 0)
      let later = max(last, Timestamp(milliseconds: 1_772_500_100_000)).adding(milliseconds: 1)
      for transaction in outbox.pending {
        var moved = transaction
        moved.recordedAt = later
        log.append(moved, acceptedAt: later)
      }
      let accepted = Overlay(log.state, through: nil)
      #expect(accepted.portfolio.holdings.map(\.amount) == shown.portfolio.holdings.map(\.amount))
      #expect(
        accepted.portfolio.holdings.map(\.category) == shown.portfolio.holdings.map(\.category))
      for collection in ["notes", "record"].map({ CollectionName(unchecked: $0) }) {
        let before = shown.documents(in: collection, includingDeleted: true)
        let after = accepted.documents(in: collection, includingDeleted: true)
        #expect(before.map(\.key) == after.map(\.key))
        #expect(before.map(\.fields) == after.map(\.fields))
        #expect(before.map(\.isDeleted) == after.map(\.isDeleted))
        #expect(after.allSatisfy { !$0.isPending })
      }
    }
  }

  @Test("Devices that edit apart: differences add up, and merging refuses nothing")
  func apart() throws {
    let four = try Amount("4")
    var log = LogBuilder()
    try log.append([.adjust(bitcoin, four)])
    let seen = Overlay(log.state, through: through)
    // Both set 4 to 10.
    let setting = try StagedEdits.operations(for: [.set(bitcoin, try Amount("10"))], on: seen)
    var both = log
    try both.append(setting, by: 2)
    try both.append(setting, by: 3)
    #expect(Overlay(both.state, through: nil).holding(of: bitcoin).amount.decimalText == "16")
    // Both sell all.
    let selling = try StagedEdits.operations(for: [.delete(bitcoin)], on: seen)
    try log.append(selling, by: 2)
    try log.append(selling, by: 3)
    let holding = Overlay(log.state, through: nil).holding(of: bitcoin)
    #expect(holding.amount.decimalText == "-4")
    #expect(holding.isOverdrawn)
    #expect(holding.isListed)
  }

  @Test("F15: merging makes no transactions: what is shown is read from the set of entries alone")
  func mergingMakesNothing() throws {
    var random = SeededRandom()
    let log = try random.log(entryCount: 20)
    let overlay = Overlay(log.state, through: through)
    #expect(overlay.pending.isEmpty)
    #expect(try StagedEdits.operations(for: [], on: overlay).isEmpty)
  }
}
