/// A page read from the data file, with loads that cannot leave it.
struct PageBytes {
  let bytes: [UInt8]

  /// Why a page cannot be what it should.
  struct Damage: Error {
    var what: String
  }

  func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ offset: Int, as type: Number.Type = Number.self
  ) throws(Damage) -> Number {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else {
      throw Damage(what: "a field lies outside of the page")
    }
    return unsafe Number(
      littleEndian: bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// A number of a page or a count of pages; those above what a file can hold are damage.
  func loadCount(_ offset: Int) throws(Damage) -> Int {
    let number = try load(offset, as: UInt64.self)
    guard let count = Int(exactly: number), count < 1 << 48 else {
      throw Damage(what: "a page's number is too large")
    }
    return count
  }
}
