import FolioCrypto
import FolioDomain
import FolioWire

/// How far the reading of a log is.
struct PullProgress {
  /// What has been checked so far.
  var verifier = ChainVerifier(after: LogPosition(seq: 0, hash: .zero))
  /// Whether own entries have to come with their bodies, because one was not held any more.
  var isWhole = false
  /// Pages asked for before it turned out that they have to be asked for anew.
  var discarded: Set<Int> = []
  /// The pages that are asked for, in order.
  var asked: [Int] = []
  /// Entries that were read and checked, and are not given to be stored.
  var unstored: [VerifiedEntry] = []
  /// How many bytes their bodies have.
  var unstoredByteCount = 0

  /// Whether the store has nothing yet, so that nobody waits to change it.
  var isFirst = false
  /// How many entries are stored at once, but for the page that goes beyond: what a storage
  /// transaction costs by itself is shared by all that is in it.
  ///
  /// Ids come in no order, so that each transaction writes most pages of their index: of a first
  /// reading, which is the longest, fewer and larger ones write less.
  var storedCount: Int { isFirst ? 16_384 : 4_096 }
  /// How many bytes of bodies are stored at once likewise.
  static let storedByteCount = 2 << 20

  /// Whether enough is read to be stored.
  var isFull: Bool {
    unstored.count >= storedCount || unstoredByteCount >= Self.storedByteCount
  }

  /// Adds entries to those that are to be stored.
  mutating func add(_ entries: [VerifiedEntry]) {
    unstoredByteCount += entries.reduce(0) { $0 + $1.entry.transaction.body.count }
    unstored += entries
  }

  /// Gives out those that are to be stored.
  mutating func takeUnstored() -> [VerifiedEntry] {
    defer {
      unstored = []
      unstoredByteCount = 0
    }
    return unstored
  }
}

extension SyncMachine {
  /// Reads the log from the cursor to its end.
  mutating func beginPull() throws {
    guard let cursor = state.cursor else { throw SyncError.violation(.impossibleFacts) }
    pull.verifier = ChainVerifier(after: cursor)
    pull.isFirst = cursor.seq == 0 && state.lastSequence == 0
    enter(.pulling)
    askForEntries(after: cursor)
  }

  mutating func askForEntries(after position: LogPosition, atMost limit: Int = .max) {
    var own: OwnEntries?
    if phase == .pulling, !pull.isWhole, state.lastSequence > 0 {
      own = OwnEntries(device: state.device, upTo: state.lastSequence)
    }
    let request = Pull(
      after: position, maxEntries: min(limit, limits.entries), maxBytes: limits.pageBytes, own: own)
    pull.asked.append(send(.pull(request)))
  }

  mutating func receive(_ page: Page, to request: Pull, _ id: Int) throws {
    pull.asked.removeAll { $0 == id }
    if pull.discarded.remove(id) != nil { return }
    guard phase == .pulling || phase == .rebuilding else { throw unexpected("page") }
    if page.more, page.entries.isEmpty || page.last.seq <= request.after.seq {
      throw SyncError.violation(.moreWithoutProgress)
    }
    // The next page is on its way while this one is checked and stored.
    if page.more { askForEntries(after: page.last) }
    hold(.page(page))
  }

  /// Checks a page, and stores it once there is enough to store.
  mutating func take(_ page: Page) throws {
    if let newer = try firstOfNewerVersion(in: page) {
      return askAgain(after: pull.verifier.position, atMost: newer)
    }
    guard let entries = try checked(page) else { return }
    pull.add(entries)
    if !page.more { try storeRead() } else if pull.isFull { try beginStoringEntries() }
    if let last = entries.last, let ready {
      show(.pulled(Int(last.entry.seq), of: Int(max(ready.head.seq, last.entry.seq))))
    }
    if !page.more {
      if phase == .pulling { try afterPull() } else { try finishRebuild() }
    }
  }

  /// The page's entries, whole and checked; nil where they have to be asked for with their bodies.
  private mutating func checked(_ page: Page) throws -> [VerifiedEntry]? {
    var verifier = pull.verifier
    var entries: [VerifiedEntry] = []
    entries.reserveCapacity(page.entries.count)
    for entry in page.entries {
      guard let whole = try whole(entry) else {
        pull.isWhole = true
        askAgain(after: pull.verifier.position)
        return nil
      }
      do {
        entries.append(try verifier.check(whole, lastSequence: lastSequence))
      } catch let violation as ProtocolViolation {
        throw SyncError.violation(anotherLog(page) ?? violation)
      }
      if phase == .pulling, try isForeign(whole) {
        try renewIdentity()
        return nil
      }
    }
    guard verifier.position == page.last else {
      throw SyncError.violation(
        anotherLog(page) ?? .wrongHash(seq: verifier.position.seq))
    }
    pull.verifier = verifier
    return entries
  }

  /// Whether a page that does not fit is of another log than this account's, such as another
  /// account's: so much is certain where one of its entries was written by somebody who saw a log of
  /// another id at a place from which its entries lead to the hash at its end.
  ///
  /// O(n) for each of the first eight entries whose writers saw one.
  private func anotherLog(_ page: Page) -> ProtocolViolation? {
    let start = pull.verifier.position
    let entries = page.entries.map { $0.logEntry(using: SHA256.self) }
    let areNumbered = entries.enumerated().allSatisfy { $1.seq == start.seq + 1 + UInt64($0) }
    guard areNumbered, let end = entries.last?.seq, page.last.seq == end, let log = ready?.log,
      hash(after: start.hash, entries) != page.last.hash
    else { return nil }
    let seen = entries.lazy.compactMap { entry -> Seen? in
      guard !entry.isStub, let body = try? TransactionBody(decoding: entry.transaction.body),
        let seen = body.seen, seen.log != log, (start.seq..<entry.seq).contains(seen.position.seq)
      else { return nil }
      return seen
    }
    let isAnother = seen.prefix(8).contains { seen in
      let rest = entries.dropFirst(Int(seen.position.seq - start.seq))
      return hash(after: seen.position.hash, rest) == page.last.hash
    }
    return isAnother ? .anotherLog(seq: start.seq + 1) : nil
  }

  private func hash(after start: Hash256, _ entries: some Sequence<LogEntry>) -> Hash256 {
    entries.reduce(start) { LogChain.next(after: $0, $1, using: SHA256.self) }
  }

  /// The sequence of a device's last entry before those that are checked; nil where it is not known.
  private func lastSequence(of device: DeviceID) throws -> UInt64? {
    if phase == .pulling { return try storage.lastSequence(of: device) }
    // A log read beside the state begins with each device's first, unless its reading goes on.
    return refill.rebuildIsResumed ? nil : 0
  }

  /// The entry with its body, which for a stub is one that this store made.
  private func whole(_ entry: WireEntry) throws -> LogEntry? {
    var entry = entry.logEntry(using: SHA256.self)
    guard entry.isStub else { return entry }
    let transaction = entry.transaction
    guard phase == .pulling, !pull.isWhole, transaction.device == state.device,
      transaction.deviceSequence <= state.lastSequence
    else { throw SyncError.violation(.bodyLeftOut(seq: entry.seq)) }
    let body = try storage.ownBody(
      device: transaction.device, sequence: transaction.deviceSequence, hash: entry.bodyHash)
    guard let body else { return nil }
    entry.transaction.body = body
    entry.isStub = false
    return entry
  }

  /// Asks for a page anew, and drops those that were asked for after it.
  private mutating func askAgain(after position: LogPosition, atMost limit: Int = .max) {
    pull.discarded.formUnion(pull.asked)
    pull.asked = []
    askForEntries(after: position, atMost: limit)
  }

  /// How many entries of a page stand before one of a version that is not known here, if any does.
  ///
  /// A page that begins with one is where reading stops.
  /// The hash of such an entry may be of other fields than those known here, and its meaning
  /// another. What comes before is asked for by itself, since `last` vouches for whole pages.
  private func firstOfNewerVersion(in page: Page) throws -> Int? {
    guard let index = page.entries.firstIndex(where: { $0.transaction.version != 1 }) else {
      return nil
    }
    let entry = page.entries[index]
    guard index > 0 else {
      throw SyncError.newerEntry(seq: entry.seq, version: entry.transaction.version)
    }
    return index
  }

  /// Whether an entry says that it is this device's, and this store did not make it.
  private mutating func isForeign(_ entry: LogEntry) throws -> Bool {
    guard entry.transaction.device == state.device else { return false }
    return try isContested(
      AcknowledgedTransaction(
        sequence: entry.transaction.deviceSequence, id: entry.transaction.id))
  }

  /// Gives the entries that were read and checked to be stored, once what was given before is.
  mutating func beginStoringEntries() throws {
    let entries = pull.takeUnstored()
    try finishStoring()
    guard let last = entries.last?.position, let stable = ready?.stable else { return }
    if phase == .rebuilding {
      try storage.stagePage(entries)
      memory.progressCount += 1
      return
    }
    let foreignCount = entries.count { $0.entry.transaction.device != state.device }
    let outcome = try storage.beginStoringPage(entries, stable: stable)
    whenStored { machine in
      machine.memory.summary.add(try outcome())
      machine.memory.summary.pulled += foreignCount
      machine.memory.progressCount += 1
      machine.state.cursor = last
      machine.state.stable = stable
    }
  }

  /// Goes on once the log has been read to its end.
  private mutating func afterPull() throws {
    guard let cursor = state.cursor, let ready else { return }
    if state.stable != ready.stable {
      _ = try storage.storePage([], stable: ready.stable)
      state.stable = ready.stable
    }
    try checkHead(push.head ?? ready.head, against: cursor)
    if try beginPush() { return }
    // What was acknowledged and is still not in the log is kept back.
    if let pending = try storage.pending(after: 0, maxCount: 1, maxBytes: 1).first,
      pending.transaction.deviceSequence <= push.acked
    {
      throw SyncError.violation(.entryWithheld(sequence: pending.transaction.deviceSequence))
    }
    memory.summary.head = cursor
    try beginMarket()
  }

  /// Checks that a head that the server told is one of the log as read now.
  private func checkHead(_ head: LogPosition?, against cursor: LogPosition) throws {
    guard let head, head.seq > 0 else { return }
    if head.seq > cursor.seq {
      throw SyncError.notConverged(server: head.seq, local: cursor.seq)
    }
    let own = head.seq == cursor.seq ? cursor : try storage.position(at: head.seq)
    if let own, own.hash != head.hash { throw SyncError.violation(.wrongHead) }
  }
}
