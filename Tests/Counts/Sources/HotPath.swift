import FolioCrypto
import FolioDomain
import FolioJSON
import FolioServer
import FolioStore
import FolioWire
import TestSupport

/// The paths that a user waits for, or a server's processor.
enum HotPath: String, CaseIterable {
  /// A page of 100 entries, from a line to a message.
  case decodePage = "decode-page"
  /// The same, to a line.
  case encodePage = "encode-page"
  /// 100 times an amount by a price, added to a sum.
  case multiplyAdd = "multiply-add"
  /// 64 KiB of lines of 500 bytes, in pieces of 4 KiB.
  case frameLines = "frame-lines"
  /// An edit of one asset saved, in the store with all its indexes.
  case save
  /// 100 new documents of 1 KB saved together, in the store that has those of the runs before.
  case put
  /// An asset read by its key.
  case read
  /// A report over 200 slots of 50 assets.
  case report
  /// A server's decision on 16 pushes of 16 accounts, committed together.
  case push

  enum Fault: Error { case wrongResult }

  /// Makes what the path works on, and gives the path.
  func work() throws -> (Int) throws -> Void {
    switch self {
    case .decodePage: try Self.decodePage()
    case .encodePage: try Self.encodePage()
    case .multiplyAdd: try Self.multiplyAdd()
    case .frameLines: Self.frameLines()
    case .save: try Self.save()
    case .put: try Self.put()
    case .read: try Self.read()
    case .report: try Self.report()
    case .push: try Self.push()
    }
  }

  // MARK: The wire

  private static func page() throws -> Message {
    var random = SeededRandom(seed: 1)
    var log = LogBuilder()
    for number in 0..<100 {
      let amount = try Amount("\(random.int(0...999)).\(random.int(1...99_999_999))")
      try log.append(
        [.adjust(try asset(number), amount)], by: UInt128(random.int(1...3)))
    }
    let entries = log.entries.map { WireEntry($0.entry) }
    return .reply(RequestID(7), .page(Page(entries: entries, last: log.head, more: true)))
  }

  private static func asset(_ number: Int) throws -> AssetKey {
    try AssetKey(number % 2 == 0 ? "crypto:coin-\(number)" : "stock:US\(1_000_000 + number)")
  }

  private static func decodePage() throws -> (Int) throws -> Void {
    let line = Array(try page().line.dropLast())
    return { _ in
      guard case .reply(_, .page(let page)) = try Message(line: line), page.entries.count == 100
      else { throw Fault.wrongResult }
    }
  }

  private static func encodePage() throws -> (Int) throws -> Void {
    let page = try page()
    let count = page.line.count
    return { _ in guard page.line.count == count else { throw Fault.wrongResult } }
  }

  private static func frameLines() -> (Int) throws -> Void {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 499) + [0x0A]
    let lines = Array(repeatElement(line, count: 128).joined())
    let pieces = stride(from: 0, to: lines.count, by: 4_096).map {
      lines[$0..<min($0 + 4_096, lines.count)]
    }
    return { _ in
      var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
      var count = 0
      for piece in pieces {
        framer.append(piece)
        while try framer.next() != nil { count += 1 }
      }
      guard count == 128 else { throw Fault.wrongResult }
    }
  }

  // MARK: Numbers and reports

  private static func multiplyAdd() throws -> (Int) throws -> Void {
    let pairs = try (1...100).map { number in
      (try Amount("\(number).\(number * 7_919 % 100_000)"), try Price("\(number * 31).\(number)"))
    }
    return { _ in
      var sum = Value.zero
      for (amount, price) in pairs { sum += Value(amount, at: price) }
      guard sum > .zero else { throw Fault.wrongResult }
    }
  }

  private static func report() throws -> (Int) throws -> Void {
    let first = Slot(index: 80_000)
    let assets = try (0..<50).map(asset).sorted()
    let changes = try (0..<200).map { number in
      HoldingChange(
        slot: first.advanced(by: number), asset: assets[number * 7 % 50],
        sum: Int256(try Amount("\(number + 1).25")),
        category: try Category(named: "Category \(number % 5)"))
    }
    let rules = PricingRules(base: "USD")
    var start = SnapshotWalker(at: first, rules: rules)
    let numbers = assets.map { start.number(of: $0) }
    let windows = try stride(from: 0, to: 200, by: PriceWindow.slotCount).map {
      try window(first.advanced(by: $0), numbers)
    }
    return { [start] _ in
      var walker = start
      var builder = ReportBuilder(options: ReportOptions(), rules: rules)
      for number in 0..<200 {
        if number > 0 {
          walker.apply(changes[number - 1])
          walker.advance()
        }
        if number % PriceWindow.slotCount == 0 {
          walker.observe(windows[number / PriceWindow.slotCount])
        }
        try builder.add(&walker)
      }
      guard try builder.finish(walker).assets.count == 50 else { throw Fault.wrongResult }
    }
  }

  /// A price of each asset in each of a window's slots.
  private static func window(_ first: Slot, _ numbers: [AssetNumber]) throws -> PriceWindow {
    let count = PriceWindow.slotCount
    return PriceWindow(
      first: first,
      columns: numbers.enumerated().map { place, number in
        PriceWindow.Column(number: number, slots: .max, start: place * count)
      },
      prices: try (0..<numbers.count * count).map { try Price("\($0 + 10).\(first.index)") })
  }

  // MARK: Stores

  private static func store(_ folder: TemporaryFolder) throws -> Store {
    let options = StoreOptions(
      clock: ManualClock(Timestamp(milliseconds: 1_772_348_400_000)),
      random: SeededSource(seed: 3))
    let store = try Store.create(at: folder.path + "/store", options)
    let edits = try (0..<100).map { number in
      Edit.add(
        try asset(number), try Amount("1.5"), category: try Category(named: "C\(number % 5)"))
    }
    try store.write { _ = try $0.save(edits) }
    return store
  }

  private static func save() throws -> (Int) throws -> Void {
    let folder = try TemporaryFolder("counts")
    let store = try store(folder)
    return { number in
      _ = folder
      let edit = Edit.add(
        try asset(number % 100), try Amount("0.25"), category: try Category(named: "C\(number % 5)")
      )
      guard try store.write({ try $0.save([edit]).transaction }) != nil else {
        throw Fault.wrongResult
      }
    }
  }

  private static func put() throws -> (Int) throws -> Void {
    let folder = try TemporaryFolder("counts")
    let store = try store(folder)
    var random = SeededRandom(seed: 5)
    let text = String(repeating: "alpha bravo \"charlie\" ", count: 40)
    let notes = CollectionName(unchecked: "notes")
    return { number in
      _ = folder
      let edits = try (0..<100).map { place in
        Edit.put(
          try DocumentPut(
            collection: notes, document: DocumentID(UInt128(random.next()) << 64),
            fields: .object([
              JSONMember("count", .integer(Int64(number))), JSONMember("text", .string(text)),
              JSONMember("title", .string("Note number \(place)")),
              JSONMember("type", .string("type \(place % 10)")),
            ])))
      }
      guard try store.write({ try $0.save(edits).operationCount }) == 100 else {
        throw Fault.wrongResult
      }
    }
  }

  private static func read() throws -> (Int) throws -> Void {
    let folder = try TemporaryFolder("counts")
    let store = try store(folder)
    let keys = try (0..<100).map(asset)
    return { number in
      _ = folder
      guard try store.read({ try $0.holding(keys[number % 100]) }) != nil else {
        throw Fault.wrongResult
      }
    }
  }

  private static func push() throws -> (Int) throws -> Void {
    let folder = try TemporaryFolder("counts")
    let now = Timestamp(milliseconds: 1_772_348_400_000)
    let random = SeededSource(seed: 4)
    let storage = try ServerFolder.make(at: folder.path + "/data", random: random, now: now).storage
    let names = (0..<16).map { "account-\($0)" }
    for name in names { _ = try storage.write(CreateAccount(name, random: random, now: now)) }
    let service = try ServerService(storage: storage, clock: ManualClock(now), random: random)
    let body = try TransactionBody(
      seen: nil, operations: [.adjust(try asset(1), try Amount("2.75"))]
    ).encoded()
    return { number in
      _ = folder
      let submissions = names.map { name in
        let transaction = Envelope(
          id: TransactionID(random.next128()), device: DeviceID(1),
          deviceSequence: UInt64(number + 1), recordedAt: now, body: body)
        return LogSubmission(
          account: name, device: DeviceID(1), action: .push([PushedTransaction(transaction)]))
      }
      for result in try service.submit(submissions) {
        guard case .ok? = try result.get().results.first else { throw Fault.wrongResult }
      }
    }
  }
}
