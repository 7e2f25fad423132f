/// The member names that an object of a known shape may have, with what each stands for.
///
/// ```swift
/// enum Member: String, CaseIterable { case code, offset }
/// static let table = JSONMemberTable<Member>()
/// ```
public struct JSONMemberTable<Member: Sendable>: Sendable {
  /// The names, each packed into 16 bytes.
  @usableFromInline let names: [UInt128]
  @usableFromInline let members: [Member]

  /// A table of names with their members; best in the order in which they are usually written.
  ///
  /// - Precondition: At most 64 names of 1 to 16 ASCII bytes, each once.
  public init(_ members: [(name: StaticString, member: Member)]) {
    precondition(members.count <= 64)
    names = members.map { Self.pack($0.name) }
    self.members = members.map(\.member)
    precondition(Set(names).count == names.count)
  }

  private static func pack(_ name: StaticString) -> UInt128 {
    precondition((1...16).contains(name.utf8CodeUnitCount))
    return (0..<name.utf8CodeUnitCount).reduce(UInt128(0)) {
      $0 | UInt128(name.utf8Start[$1]) << UInt128($1 * 8)
    }
  }

  /// The place of a packed name, looked for from `start` on and around.
  @inlinable @inline(__always)
  func index(of name: UInt128, from start: Int) -> Int? {
    var index = start
    for _ in 0..<names.count {
      if index >= names.count { index = 0 }
      if names[index] == name { return index }
      index &+= 1
    }
    return nil
  }
}

extension JSONMemberTable where Member: RawRepresentable<String> & CaseIterable {
  /// A table of all cases, each under its raw value.
  ///
  /// - Precondition: At most 64 raw values of 1 to 16 ASCII bytes.
  public init() {
    let all = Array(Member.allCases)
    precondition(all.count <= 64)
    names = all.map { member in
      let bytes = Array(member.rawValue.utf8)
      precondition((1...16).contains(bytes.count))
      return bytes.indices.reduce(UInt128(0)) { $0 | UInt128(bytes[$1]) << UInt128($1 * 8) }
    }
    members = all
  }
}

/// How far the members of an object have been read.
public struct JSONMembers: Sendable {
  /// One bit a name of the table that was seen.
  @usableFromInline var seen: UInt64 = 0
  /// Where in the table the next name is looked for first.
  @usableFromInline var next = 0
  /// Whether there were names that the table lacks.
  @usableFromInline var hasUnknown = false
  /// Whether the object has members, among those read so far, that the table does not know.
  public var includesUnknown: Bool { hasUnknown }
  /// The offset of the opening bracket.
  public let start: Int

  @usableFromInline init(start: Int) { self.start = start }
}

extension JSONReader {
  /// Takes the opening bracket of an object whose members are read by `nextMember`.
  @inlinable
  public mutating func beginMembers() throws(JSONError) -> JSONMembers {
    try open(UInt8(ascii: "{"))
    return JSONMembers(start: offset - 1)
  }

  /// Moves to the next member that `table` knows; nil at the object's end.
  ///
  /// Members that the table does not know are read and dropped, under the reader's rules. A name
  /// that comes twice, known or not, is refused.
  ///
  /// - Precondition: The member before has been read as a whole.
  @inlinable
  public mutating func nextMember<Member>(
    _ members: inout JSONMembers, _ table: JSONMemberTable<Member>
  ) throws(JSONError) -> Member? {
    while try nextItem(UInt8(ascii: "}")) {
      let start = offset
      let packed = try readPackedName()
      if packed != 0, let index = table.index(of: packed, from: members.next) {
        let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: index)
        guard members.seen & bit == 0 else { throw JSONError(.duplicateMember, at: start) }
        members.seen |= bit
        members.next = index &+ 1
        try readColon()
        return table.members[index]
      }
      try skipUnknown(&members, start)
    }
    if members.hasUnknown { ledger.pop() }
    return nil
  }

  /// Drops the member whose name starts at `start` and has just been read.
  @usableFromInline
  mutating func skipUnknown(_ members: inout JSONMembers, _ start: Int) throws(JSONError) {
    let name = JSONText(start: start + 1, end: offset - 1, isEscaped: isNameEscaped)
    if !members.hasUnknown {
      members.hasUnknown = true
      ledger.push()
    }
    guard ledger.insert(name, in: bytes) || !rules.refusesDuplicates else {
      throw JSONError(.duplicateMember, at: start)
    }
    try readColon()
    try skipValue()
  }

  /// Reads a name and packs it into 16 bytes; 0 where it does not fit or has an escape of NUL.
  @inlinable @inline(__always)
  mutating func readPackedName() throws(JSONError) -> UInt128 {
    guard byte(offset) == UInt8(ascii: "\"") else { throw unexpected(offset) }
    guard offset &+ 17 <= byteCount else { return try readPackedNameSlowly() }
    isNameEscaped = false
    let low = word(offset &+ 1)
    let lowEnd = Self.specialBytes(low)
    if lowEnd != 0 {
      let length = lowEnd.trailingZeroBitCount &>> 3
      guard byte(offset &+ 1 &+ length) == UInt8(ascii: "\"") else {
        return try readPackedNameSlowly()
      }
      cursor &+= length &+ 2
      return UInt128(low & ((1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1))
    }
    let high = word(offset &+ 9)
    let highEnd = Self.specialBytes(high)
    let length = highEnd.trailingZeroBitCount &>> 3
    guard highEnd != 0, byte(offset &+ 9 &+ length) == UInt8(ascii: "\"") else {
      return try readPackedNameSlowly()
    }
    cursor &+= length &+ 10
    let kept = high & ((1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1)
    return UInt128(truncatingIfNeeded: low) | UInt128(truncatingIfNeeded: kept) &<< 64
  }

  /// Reads a string that is one of the names in `table`; nil, with the string taken, for any other.
  @inlinable
  public mutating func readWord<Word>(_ table: JSONMemberTable<Word>) throws(JSONError) -> Word? {
    guard try nextByte() == UInt8(ascii: "\"") else { throw mismatch() }
    let packed = try readPackedName()
    return packed == 0 ? nil : table.index(of: packed, from: 0).map { table.members[$0] }
  }

  @usableFromInline
  mutating func readPackedNameSlowly() throws(JSONError) -> UInt128 {
    let name = try scanString()
    isNameEscaped = name.isEscaped
    return withText(name) { text in
      // A name with NUL in it would look like a shorter one.
      guard text.count <= 16, !text.contains(0) else { return 0 }
      return text.indices.reduce(UInt128(0)) { $0 | UInt128(text[$1]) << UInt128($1 * 8) }
    }
  }
}
