/// The member names seen in the objects that are open, to find the second of a kind.
///
/// Names are compared as bytes after unescaping. A few are compared one by one; beyond that an
/// object gets a hash table, so that a line of a hundred thousand members costs no square.
@usableFromInline
struct NameLedger {
  /// How many names of an object are compared one by one.
  private static let linearMax = 12

  private struct Name {
    /// The first bytes, which tell most names apart.
    var prefix: UInt64
    /// The offset in the input, or in the arena for a name with escapes.
    var start: Int
    var count: Int
    var isInArena: Bool
  }

  private struct Frame {
    var firstName: Int
    var firstByte: Int
    /// Places of names by hash, -1 where free; empty for an object of few names.
    var table: [Int32] = []
  }

  private var names: [Name] = []
  private var arena: [UInt8] = []
  private var frames: [Frame] = []

  @usableFromInline
  init() {}

  /// Starts an object.
  @usableFromInline
  mutating func push() {
    frames.append(Frame(firstName: names.count, firstByte: arena.count))
  }

  /// Ends the object started last.
  @usableFromInline
  mutating func pop() {
    guard let frame = frames.popLast() else { return }
    names.removeSubrange(frame.firstName...)
    arena.removeSubrange(frame.firstByte...)
  }

  /// Adds a name to the object started last; false where it is there already.
  @usableFromInline
  mutating func insert(_ text: JSONText, in bytes: RawSpan) -> Bool {
    let name = makeName(text, bytes)
    guard var frame = frames.popLast() else { return true }
    defer { frames.append(frame) }
    if frame.table.isEmpty {
      for index in frame.firstName..<names.count where isEqual(names[index], name, bytes) {
        return false
      }
      names.append(name)
      if names.count - frame.firstName > Self.linearMax { rebuild(&frame, bytes) }
      return true
    }
    let slot = findSlot(name, frame, bytes)
    guard frame.table[slot] < 0 else { return false }
    frame.table[slot] = Int32(names.count - frame.firstName)
    names.append(name)
    if (names.count - frame.firstName) * 2 > frame.table.count { rebuild(&frame, bytes) }
    return true
  }

  private mutating func makeName(_ text: JSONText, _ bytes: RawSpan) -> Name {
    var name = Name(
      prefix: 0, start: text.start, count: text.end - text.start, isInArena: text.isEscaped)
    if text.isEscaped {
      name.start = arena.count
      JSONEscapes.resolve(text, in: bytes, into: &arena)
      name.count = arena.count - name.start
    }
    for index in 0..<min(8, name.count) {
      name.prefix = name.prefix << 8 | UInt64(byte(name, index, bytes))
    }
    return name
  }

  private func byte(_ name: Name, _ index: Int, _ bytes: RawSpan) -> UInt8 {
    name.isInArena
      ? arena[name.start + index]
      : bytes.unsafeLoad(fromUncheckedByteOffset: name.start + index, as: UInt8.self)
  }

  private func isEqual(_ a: Name, _ b: Name, _ bytes: RawSpan) -> Bool {
    guard a.prefix == b.prefix, a.count == b.count else { return false }
    if a.count <= 8 { return true }
    return (8..<a.count).allSatisfy { byte(a, $0, bytes) == byte(b, $0, bytes) }
  }

  private func findSlot(_ name: Name, _ frame: Frame, _ bytes: RawSpan) -> Int {
    // The hasher is seeded anew in each process, so a peer cannot choose names that collide.
    var hasher = Hasher()
    hasher.combine(name.count)
    for index in 0..<name.count { hasher.combine(byte(name, index, bytes)) }
    let mask = frame.table.count - 1
    var slot = hasher.finalize() & mask
    while frame.table[slot] >= 0,
      !isEqual(names[frame.firstName + Int(frame.table[slot])], name, bytes)
    {
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// Gives the object a table of four places a name.
  private mutating func rebuild(_ frame: inout Frame, _ bytes: RawSpan) {
    let count = names.count - frame.firstName
    var capacity = 64
    while capacity < count * 4 { capacity *= 2 }
    frame.table = Array(repeating: -1, count: capacity)
    for index in 0..<count {
      frame.table[findSlot(names[frame.firstName + index], frame, bytes)] = Int32(index)
    }
  }
}
