/// What happened, as lines to read where they are wanted, and always as a number.
final class Story {
  private let isKept: Bool
  private(set) var lines: [String] = []
  private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325

  init(isKept: Bool) { self.isKept = isKept }

  /// Takes what happened into the number, and its line where lines are wanted.
  func tell(_ values: Int..., line: @autoclosure () -> String) {
    for value in values { mix(UInt64(bitPattern: Int64(value))) }
    if isKept { lines.append(line()) }
  }

  /// Takes bytes that went over a connection into the number.
  func mix(_ bytes: some Collection<UInt8>) {
    for byte in bytes { mix(UInt64(byte)) }
  }

  private func mix(_ value: UInt64) {
    digest = (digest ^ value) &* 0x100_0000_01b3
  }
}
