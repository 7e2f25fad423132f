import FolioDomain
import FolioWire
import TestSupport

/// Messages of every type with random members, for laws that hold for all of them.
struct MessageSource {
  var random: SeededRandom

  mutating func message(_ type: MessageType) -> Message {
    let id = RequestID(number(1))
    switch type {
    case .hello, .auth, .push, .refill, .pull, .prices, .assets, .leaderboard, .subscribe, .verify,
      .ping:
      return .request(id, request(type))
    case .error: return .error(maybe { _ in id }, errorMessage())
    case .note: return .note(note())
    case .bye: return .bye
    default: return .reply(id, reply(type))
    }
  }

  // MARK: Values

  mutating func number(_ least: UInt64 = 0) -> UInt64 {
    switch random.int(0...3) {
    case 0: least
    case 1: Wire.integerLimit
    default: UInt64.random(in: least...Wire.integerLimit, using: &random)
    }
  }

  mutating func count(_ range: ClosedRange<Int>) -> Int { random.int(range) }

  mutating func id() -> UInt128 { UInt128(random.next()) << 64 | UInt128(random.next()) }

  mutating func hash() -> Hash256 {
    Hash256(words: (random.next(), random.next(), random.next(), random.next()))
  }

  mutating func time() -> Timestamp {
    let limit = Int64(Wire.integerLimit)
    return Timestamp(milliseconds: Int64.random(in: -limit...limit, using: &random))
  }

  mutating func slot() -> Slot { Slot(index: Int64(random.int(-100_000...100_000))) }

  mutating func position() -> LogPosition { LogPosition(seq: number(), hash: hash()) }

  mutating func maybe<T>(_ make: (inout MessageSource) -> T) -> T? {
    random.one(in: 2) ? make(&self) : nil
  }

  mutating func list<T>(_ range: ClosedRange<Int>, _ make: (inout MessageSource) -> T) -> [T] {
    (0..<count(range)).map { _ in make(&self) }
  }

  mutating func text(_ range: ClosedRange<Int>) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "Z", "\"", "\\", "/", " ", "\n", "\u{1}", "\u{7F}", "é", "😀",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<count(range) { text.append(random.pick(scalars)) }
    return String(text)
  }

  mutating func code() -> String {
    String((0..<count(1...64)).map { _ in random.pick(Array("abcXYZ019_.-")) })
  }

  mutating func bytes(_ range: ClosedRange<Int>) -> [UInt8] {
    (0..<count(range)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  mutating func assetType() -> AssetType {
    AssetType(unchecked: String((0..<count(1...8)).map { _ in random.pick(Array("abc019.-")) }))
  }

  mutating func assetID() -> AssetID {
    AssetID(unchecked: String((0..<count(1...30)).map { _ in random.pick(Array("abcXYZ:é\"😀 ")) }))
  }

  mutating func asset() -> AssetKey { AssetKey(type: assetType(), id: assetID()) }

  mutating func price() -> Price {
    Price(mantissa: Int64(random.next() % 1_000_000_000_000_000_000), scale: count(0...36)) ?? .one
  }

  mutating func software() -> Software {
    Software(name: text(1...10), version: text(1...10))
  }

  mutating func market() -> MarketState {
    MarketState(
      position: MarketPosition(epoch: random.next(), revision: number(), through: slot()),
      base: assetID())
  }

  mutating func acked() -> AckedTransaction {
    AckedTransaction(sequence: number(1), id: TransactionID(id()))
  }

  mutating func body() -> [UInt8] {
    let number = random.pick(["0", "-1", "0.5", "9007199254740991", "123.456"])
    var writer = "{\"n\":\(number),\"t\":["
    writer += (0..<count(0...5)).map { "\"\($0)é\\n\"" }.joined(separator: ",")
    return Array((writer + "]}").utf8)
  }

  mutating func envelope() -> Envelope {
    let isSealed = random.one(in: 3)
    return Envelope(
      version: random.one(in: 4) ? UInt8(count(1...255)) : 1, id: TransactionID(id()),
      device: DeviceID(id()), deviceSequence: number(1), recordedAt: time(),
      form: isSealed ? .sealed : .plain, keyID: isSealed ? number(1) : 0,
      body: isSealed ? bytes(0...40) : body())
  }

  mutating func entry(canBeStub: Bool = true) -> WireEntry {
    var transaction = envelope()
    let stubHash = canBeStub && random.one(in: 3) ? hash() : nil
    if stubHash != nil { transaction.body = [] }
    return WireEntry(
      seq: number(1), acceptedAt: time(), kind: random.one(in: 4) ? .void : .accepted,
      transaction: transaction, stubHash: stubHash)
  }
}
