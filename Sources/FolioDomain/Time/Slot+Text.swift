extension Slot {
  /// The first and the last slot that have a text form, those of the years 0000 to 9999; what
  /// comes from outside must lie within.
  public static let range = Slot(index: -2_878_112)...Slot(index: 11_731_587)

  /// The slot of an index that came from outside, or nil where it is out of `range`.
  public init?(validating index: Int64) {
    guard Self.range.contains(Slot(index: index)) else { return nil }
    self.init(index: index)
  }

  /// The slot of `text`, `2026-01-01T06Z`.
  public init(_ text: String) throws(TimeError) {
    var text = text
    let result: Result<Slot, TimeError> = text.withUTF8 { bytes in
      do throws(TimeError) {
        return .success(try Slot(utf8: UnsafeRawBufferPointer(bytes)))
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// The slot of UTF-8 text.
  ///
  /// O(bytes), without allocation.
  public init(utf8 bytes: UnsafeRawBufferPointer) throws(TimeError) {
    var reader = TimeTextReader(bytes.assumingMemoryBound(to: UInt8.self))
    guard let date = reader.date(), reader.skip("T"), let hour = reader.digits(2), hour < 24,
      reader.skip("Z"), reader.isAtEnd
    else { throw .slotMalformed(offset: reader.offset) }
    guard hour % 6 == 0 else { throw .slotHour }
    self.init(index: date.daysSinceEpoch * 4 + Int64(hour / 6))
  }

  /// The slot by its start in UTC, `2026-01-01T06Z`.
  public var text: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text in UTF-8.
  ///
  /// O(1).
  public func appendText(to bytes: inout [UInt8]) {
    // Shifting rounds down, before 1970 too.
    CivilDate(daysSinceEpoch: index >> 2).appendText(to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    DecimalDigits.append(UInt64(index & 3) * 6, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// The first snapshot that holds what happened in this slot: that of the next one.
  public var firstSnapshot: Slot { Slot(index: index + 1) }
}

extension Slot: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
