import CLMDB

/// CRC-32C (Castagnoli) over the bytes of a record.
@safe struct Checksum {
  /// The bytes it takes in a record.
  static let byteCount = 4

  private var state: UInt32 = ~0

  /// The checksum of all bytes added.
  var value: UInt32 { ~state }

  /// Adds bytes.
  ///
  /// - Complexity: O(*n*), about a cycle for three bytes where the processor has the instruction.
  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if Self.hasInstruction {
      state = unsafe clmdb_crc32c(state, bytes.baseAddress, bytes.count)
    } else {
      state = unsafe Self.advance(state, bytes)
    }
  }

  /// The checksum of a record: its key, then its value.
  @inline(__always)
  static func ofRecord(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> UInt32 {
    var sum = Checksum()
    unsafe sum.add(key)
    unsafe sum.add(value)
    return sum.value
  }

  private static let hasInstruction = clmdb_crc32c_supported() != 0

  /// The same by table, eight bits a step, for processors without the instruction.
  static func advance(_ state: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = state
    for index in bytes.indices {
      let slot = unsafe Int(truncatingIfNeeded: (state ^ UInt32(bytes[index])) & 0xFF)
      state = table[slot] ^ (state >> 8)
    }
    return state
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in
      sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0x82F6_3B78
    }
  }
}
