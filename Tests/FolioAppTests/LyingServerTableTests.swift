import FolioApp
import FolioCrypto
import FolioDomain
import FolioGateway
import FolioStore
import FolioWire
import TestSupport
import Testing

/// Each lie of a server has its own error, and leaves a real store as it was, record for record.
@Suite("A server that lies to a real store")
struct LyingServerTableTests {
  /// A lie, and what the sync ends with.
  struct Lie: Sendable, CustomTestStringConvertible {
    var what: String
    var code: String
    /// How the lie is told: an answer as it is changed, nil for one that stays.
    var tell: @Sendable (Reply) -> Reply?
    /// What is sent in place of the whole line.
    var line: (@Sendable (Reply) -> [UInt8]?)?
    /// What is sent in place of a page from the place that the store has read up to.
    var page: (@Sendable (LogPosition) -> Reply)?
    /// What is said of the log, to a store that keeps entries up to those places.
    var ready: (@Sendable (inout Ready, _ places: [LogPosition]) -> Void)?

    init(
      _ what: String, _ code: String, line: (@Sendable (Reply) -> [UInt8]?)? = nil,
      page: (@Sendable (LogPosition) -> Reply)? = nil,
      ready: (@Sendable (inout Ready, _ places: [LogPosition]) -> Void)? = nil,
      tell: @escaping @Sendable (Reply) -> Reply? = { _ in nil }
    ) {
      self.what = what
      self.code = code
      self.tell = tell
      self.line = line
      self.page = page
      self.ready = ready
    }

    var testDescription: String { what }
  }

  private static func page(_ change: @escaping @Sendable (inout Page) -> Void)
    -> @Sendable (
      Reply
    ) -> Reply?
  {
    { reply in
      guard case .page(var page) = reply, !page.entries.isEmpty else { return nil }
      change(&page)
      return .page(page)
    }
  }

  private static func ready(_ change: @escaping @Sendable (inout Ready) -> Void)
    -> @Sendable (
      Reply
    ) -> Reply?
  {
    { reply in
      guard case .ready(var ready) = reply else { return nil }
      change(&ready)
      return .ready(ready)
    }
  }

  /// A page of another account's log, from the same number on, true in itself; its device has sent as
  /// many transactions before, and has seen that log where it says so.
  private static func othersPage(
    after place: LogPosition, sent: UInt64, seeing isSeen: Bool
  ) -> Reply {
    var last = LogPosition(seq: place.seq, hash: other.hash)
    let entries = (1...3).map { number in
      let seen = isSeen ? Seen(log: LogID(0xfeed), position: last) : nil
      let adjust = FolioDomain.Operation.adjust(
        AssetKey(type: AssetType(unchecked: "stock"), id: AssetID(unchecked: "ABC")),
        Amount(units: 5) ?? .zero)
      let body = (try? TransactionBody(seen: seen, operations: [adjust]).encoded()) ?? []
      let entry = WireEntry(
        seq: last.seq + 1, acceptedAt: Timestamp(milliseconds: 1_772_000_000_000), kind: .accepted,
        transaction: Envelope(
          id: TransactionID(UInt128(0xf00 + number)), device: DeviceID(0xabc),
          deviceSequence: sent + UInt64(number),
          recordedAt: Timestamp(milliseconds: 1_772_000_000_000), body: body))
      last = LogPosition(
        seq: entry.seq,
        hash: LogChain.next(
          after: last.hash, entry.logEntry(using: SHA256.self), using: SHA256.self))
      return entry
    }
    return .page(Page(entries: entries, last: last, more: false))
  }

  static let other = LogPosition(seq: 2, hash: Hash256(words: (7, 7, 7, 7)))

  static let lies: [Lie] = [
    Lie("a wrong hash at the end of a page", "wrongHash", tell: page { $0.last.hash = .zero }),
    Lie(
      "another body than was accepted", "wrongHash",
      tell: page { $0.entries[0].transaction.body = Array(#"{"operations":[]}"#.utf8) }),
    Lie(
      "another time of acceptance", "wrongHash",
      tell: page { $0.entries[1].acceptedAt = Timestamp(milliseconds: 9) }),
    Lie(
      "an entry under another device", "gapInDevice",
      tell: page { $0.entries[0].transaction.device = DeviceID(0xabc) }),
    Lie(
      "an accepted entry that is said to be void", "wrongHash",
      tell: page { $0.entries[0].kind = .void }),
    Lie("an entry withheld from the middle", "gapInLog", tell: page { $0.entries.remove(at: 1) }),
    Lie("entries withheld at the start", "gapInLog", tell: page { $0.entries.removeFirst() }),
    Lie(
      "the last entry withheld, and its hash told", "brokenPage",
      tell: page { $0.entries.removeLast() }),
    Lie("an entry twice", "gapInLog", tell: page { $0.entries.append($0.entries[0]) }),
    Lie(
      "a body left out that this device does not have", "bodyLeftOut",
      tell: page { page in
        page.entries[0].stubHash = SHA256.hash(of: page.entries[0].transaction.body)
        page.entries[0].transaction.body = []
      }),
    Lie(
      "more, and nothing comes from where was asked", "moreWithoutProgress",
      page: { .page(Page(entries: [], last: $0, more: true)) }),
    Lie(
      "more, and nothing comes from elsewhere", "brokenPage",
      tell: page { page in
        page.last.seq -= UInt64(page.entries.count)
        page.entries = []
        page.more = true
      }),
    Lie(
      "another account, which has entries", "wrongAccount",
      tell: ready { $0.account = AccountID(Hash256(words: (1, 2, 3, 4))) }),
    Lie(
      "another account's entries under this one's name", "anotherLog",
      page: { othersPage(after: $0, sent: 0, seeing: true) }),
    Lie(
      "another account's entries, of a device that has sent others before", "anotherLog",
      page: { othersPage(after: $0, sent: 7, seeing: true) }),
    Lie(
      "another account's entries, whose writers saw no log", "wrongHash",
      page: { othersPage(after: $0, sent: 0, seeing: false) }),
    // This store gives what such a server lacks, and the honest part of it says that it lacks nothing.
    Lie(
      "an older head than this store has read", "head_moved",
      ready: { ready, places in
        ready.head = places[places.count - 2]
        ready.common = ready.head
      }),
    Lie(
      "a common place that was never named", "impossibleFacts",
      tell: ready { $0.common = LogPosition(seq: 1_000, hash: .zero) }),
    Lie(
      "a common place beyond the head", "impossibleFacts",
      tell: ready { $0.head = LogPosition(seq: 1, hash: other.hash) }),
    Lie(
      "a line that is no message", "unexpected_byte",
      line: { reply in
        if case .page = reply { Array("}\n".utf8) } else { nil }
      }),
    Lie(
      "a line that is not UTF-8", "invalid_utf8",
      line: { reply in
        if case .page = reply {
          Array(#"{"type":""#.utf8) + [0xff] + Array("\"}\n".utf8)
        } else {
          nil
        }
      }),
    Lie(
      "a line without an end", "line_too_long",
      line: { reply in
        if case .page = reply {
          [UInt8](repeating: 0x20, count: Wire.lineByteLimit + 2)
        } else {
          nil
        }
      }),
    Lie(
      "a version that was not offered", "versionNotOffered",
      tell: { reply in
        guard case .welcome(var welcome) = reply else { return nil }
        welcome.version = 9
        return .welcome(welcome)
      }),
    Lie(
      "an answer of another type", "unexpectedMessage",
      tell: { reply in
        if case .page = reply { return .pong }
        return nil
      }),
  ]

  /// All that a store holds, as far as it can be asked for.
  private struct Dump: Equatable {
    var status: StoreStatus
    var holdings: [PricedHolding]
    var pending: [PendingEntry]
    var kept: [ChainedEntry]
    var snapshots: [Hash256?]
    var devices: [DeviceID]
    var remarks: [LogRemark]

    init(_ device: Device) throws {
      (status, holdings, pending, kept, devices, remarks) = try device.store.read { state in
        (
          try state.status(), try state.holdings(includesHidden: true),
          try state.pending(after: 0, maxCount: .max, maxByteCount: .max),
          try state.keptEntries(after: 0, maxCount: .max, maxByteCount: .max),
          try state.devices().map(\.device), try state.remarks()
        )
      }
      snapshots = try device.digests()
      // A question that waits is no data, and is told by its error.
      status.waitingDecision = nil
    }
  }

  @Test("each lie", arguments: lies)
  func lie(_ lie: Lie) throws {
    let world = try World()
    try world.importPrices(1)
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin", to: "Coins")
    try phone.add("1", "stock:OLD")
    try phone.sync()
    try tablet.sync()
    world.advance(hours: 12)
    try phone.sync()
    for amount in ["2", "3", "4"] { try tablet.add(amount, "stock:ABC") }
    try tablet.sync()
    try phone.add("8", "crypto:bitcoin")

    let before = try Dump(phone)
    let place = try #require(before.status.position)
    let places = before.kept.map(\.position)
    let head = try world.server.head()
    var liar = Device(store: phone.store, options: phone.options)
    liar.options.attemptsMax = 1
    let server = world.server
    liar.options.connect = { _ in
      LyingConnection(server.connect()) { message in
        guard case .reply(let id, let reply) = message else { return message.line }
        if let line = lie.line?(reply) { return line }
        if case .ready(var ready) = reply, let tell = lie.ready {
          tell(&ready, places)
          return Message.reply(id, .ready(ready)).line
        }
        if case .page = reply, let page = lie.page?(place) { return Message.reply(id, page).line }
        return Message.reply(id, lie.tell(reply) ?? reply).line
      }
    }
    let error = #expect(throws: SyncError.self) { try liar.sync() }
    #expect(error?.code == lie.code, "\(String(describing: error))")
    #expect(try Dump(phone) == before)
    #expect(try phone.store.verify().problems == [])
    #expect(try world.server.head() == head, "nothing was sent to it")

    // And nothing is in the way of the truth.
    try phone.sync()
    try tablet.sync()
    try expectSame(phone, tablet)
    #expect(try phone.amount("stock:ABC") == "9")
  }

  /// A server that has lost, or keeps back, just what this store has not read tells nothing that the
  /// store could know better: it is taken for a server to which nobody has sent anything.
  @Test("A head that is older, but exactly where the store is", arguments: [false, true])
  func headAtOwnPlace(isEditing: Bool) throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "stock:ABC")
    try phone.sync()
    try tablet.sync()
    for amount in ["2", "3"] { try tablet.add(amount, "stock:ABC") }
    try tablet.sync()
    let head = try world.server.head()
    if isEditing { try phone.add("8", "stock:ABC") }

    let before = try Dump(phone)
    let place = try #require(before.status.position)
    var liar = Device(store: phone.store, options: phone.options)
    liar.options.attemptsMax = 1
    let server = world.server
    liar.options.connect = { _ in
      LyingConnection(server.connect()) { message in
        guard case .reply(let id, let reply) = message else { return message.line }
        switch reply {
        case .ready(var ready):
          (ready.head, ready.common) = (place, place)
          return Message.reply(id, .ready(ready)).line
        case .page(var page) where page.last.seq > place.seq:
          // What the others sent is kept back, and so all that follows it.
          page = Page(entries: [], last: place, more: false)
          return Message.reply(id, .page(page)).line
        default: return message.line
        }
      }
    }
    if isEditing {
      // What it acknowledges follows what it keeps back, and cannot be read without that.
      let error = #expect(throws: SyncError.self) { try liar.sync() }
      #expect(error?.code == "notConverged", "\(String(describing: error))")
      #expect(try phone.pendingCount == 1)
    } else {
      let summary = try liar.sync()
      #expect(summary.pulled == 0 && summary.pushed == 0)
      #expect(try Dump(phone) == before)
      #expect(try world.server.head() == head, "nothing was sent to it")
    }
    #expect(try phone.store.verify().problems == [])

    // Told the truth, it reads on; nothing is twice and nothing is missing.
    try phone.sync()
    try tablet.sync()
    try expectSame(phone, tablet)
    #expect(try phone.amount("stock:ABC") == (isEditing ? "14" : "6"))
  }

  /// The same loss, told as it is: who has read what is lost gives it back.
  @Test("A server set back to exactly where the store is", arguments: [false, true])
  func setBackToOwnPlace(isEditing: Bool) throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "stock:ABC")
    try phone.sync()
    try tablet.sync()
    let kept = world.server.snapshot()
    for amount in ["2", "3"] { try tablet.add(amount, "stock:ABC") }
    try tablet.sync()
    try world.server.restore(kept)
    if isEditing { try phone.add("8", "stock:ABC") }
    let summary = try phone.sync()
    #expect(summary.pushed == (isEditing ? 1 : 0) && summary.pulled == 0 && !summary.rebuilt)
    #expect(try phone.amount("stock:ABC") == (isEditing ? "9" : "1"))
    let given = try tablet.sync()
    #expect(given.rebuilt == isEditing)
    #expect(isEditing || given.refilled == 2)
    try phone.sync()
    try expectSame(phone, tablet)
    #expect(try phone.amount("stock:ABC") == (isEditing ? "14" : "6"))
  }

  @Test("Each violation has a code of its own")
  func codes() {
    let codes = Set(Self.lies.map(\.code))
    #expect(
      codes.isSuperset(of: [
        "wrongHash", "gapInLog", "gapInDevice", "moreWithoutProgress", "wrongAccount", "brokenPage",
        "impossibleFacts", "anotherLog", "bodyLeftOut", "versionNotOffered", "unexpectedMessage",
      ]))
  }
}
