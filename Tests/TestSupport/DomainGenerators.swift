public import FolioDomain
public import FolioJSON

/// Random words of the domain, from few enough names that they meet.
extension SeededRandom {
  /// An asset of a handful, of three types.
  public mutating func asset() -> AssetKey {
    let type = AssetType(unchecked: pick(["stock", "crypto", "forex"]))
    return AssetKey(type: type, id: AssetID(unchecked: pick(["a", "A", "b:c", "é", "e\u{301}"])))
  }

  /// An amount of a few whole units and sometimes many decimal places; above 0.
  public mutating func positiveAmount() -> Amount {
    let whole = Int128(int(0...5)) * 1_000_000_000_000_000_000
    let places = one(in: 3) ? Int128(int(1...999_999_999_999_999_999)) : 500_000_000_000_000_000
    return Amount(units: whole + places) ?? .zero
  }

  /// An amount of either sign, sometimes 0.
  public mutating func signedAmount() -> Amount {
    if one(in: 12) { return .zero }
    let amount = positiveAmount()
    return one(in: 2) ? amount : -amount
  }

  /// A category of a handful.
  public mutating func category() -> Category {
    let name = pick(["Coins", "coins", "Funds", "crypto", "Träume", "Stock"])
    guard let category = try? Category(named: name) else { fatalError("a name against the rules") }
    return category
  }

  /// A document of a handful.
  public mutating func documentKey() -> DocumentKey {
    DocumentKey(
      collection: CollectionName(unchecked: pick(["notes", "record"])),
      id: DocumentID(UInt128(int(1...4))))
  }

  /// A field, or a member of `metadata`.
  public mutating func fieldPath() -> FieldPath {
    let name = FieldName(unchecked: pick(["title", "a", "zeta", "é"]))
    return one(in: 3) ? FieldPath(.metadata, member: name) : FieldPath(name)
  }

  /// A JSON value that documents may hold, of at most `levels` levels.
  public mutating func json(levels: Int = 3) -> JSONValue {
    switch int(levels > 0 ? 0...7 : 0...5) {
    case 0: return .null
    case 1: return .bool(one(in: 2))
    case 2: return .integer(Int64(int(-9_007_199_254_740_991...9_007_199_254_740_991)))
    case 3: return .double(Double(int(-999_999...999_999)) + 0.5)
    case 4: return .string(pick(["", "é", "e\u{301}", "\u{2028}", "\"\\\n\u{1}", "🪙"]))
    case 5: return .integer(Int64(int(-3...3)))
    case 6: return .array((0..<int(0...3)).map { _ in json(levels: levels - 1) })
    default:
      let names = ["a", "b", "é"].prefix(int(0...3))
      return .object(names.map { JSONMember($0, json(levels: levels - 1)) })
    }
  }

  /// A put of a few fields.
  public mutating func put() -> DocumentPut {
    let key = documentKey()
    // Sorted: the order of a set differs from run to run, and a seed has to bring back the same.
    var paths = Set((0..<int(0...4)).map { _ in fieldPath() }).sorted()
    let unset = one(in: 3) ? paths.popLast().map { [$0] } ?? [] : []
    let set = paths.map { DocumentField($0, json()) }
    return DocumentPut(
      collection: key.collection, document: key.id, set: set, unset: unset,
      undelete: one(in: 5))
  }

  private mutating func deletion() -> Operation {
    let key = documentKey()
    return .delete(key.collection, key.id)
  }

  /// An operation of any kind that this version knows.
  public mutating func operation() -> Operation {
    switch int(0...9) {
    case 0...3: .adjust(asset(), signedAmount())
    case 4...6: .categorize(asset(), category())
    case 7...8: .put(put())
    default: deletion()
    }
  }

  /// A log of several devices whose clocks are wrong, with void entries and unreadable bodies.
  public mutating func log(entryCount: Int, devices: Int = 3) throws -> LogBuilder {
    var log = LogBuilder()
    var accepted = Timestamp(milliseconds: 1_772_348_400_000)
    for _ in 0..<entryCount {
      accepted = accepted.adding(milliseconds: Int64(int(0...20_000_000)))
      let device = UInt128(int(1...devices))
      let skew = Int64(pick([0, 0, -3_600_000, 90_000, 3_600_000, -1_772_348_400_000]))
      let recorded = accepted.adding(milliseconds: skew)
      if one(in: 15) {
        log.append(body: Array("{}".utf8), by: device, recordedAt: recorded, acceptedAt: accepted)
      } else {
        let operations = (0..<int(1...4)).map { _ in operation() }
        try log.append(
          operations, by: device, recordedAt: recorded, acceptedAt: accepted,
          kind: one(in: 12) ? .void : .accepted)
      }
    }
    return log
  }
}
