/// The number of an open file, pipe or socket; it owns nothing and closes nothing by itself.
public struct FileDescriptor: RawRepresentable, Hashable, Sendable {
  /// The number, as the system knows it.
  public var rawValue: Int32

  /// The descriptor of that number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Where a program reads its input.
  public static let standardInput = FileDescriptor(0)
  /// Where a program writes its results.
  public static let standardOutput = FileDescriptor(1)
  /// Where a program writes its errors.
  public static let standardError = FileDescriptor(2)
}

extension FileDescriptor {
  /// Reads what is there, at most as much as `buffer` holds; 0 is the end.
  ///
  /// Interrupting signals are waited out.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try systemRead(rawValue, buffer)
  }

  /// Writes what is taken at once, and tells how much that was.
  ///
  /// Interrupting signals are waited out.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try systemWrite(rawValue, bytes)
  }

  /// Writes all of it, in as many calls as it takes, and waits where it must.
  public func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = bytes
    while !rest.isEmpty {
      do throws(Errno) {
        let count = try systemWrite(rawValue, rest)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } catch .wouldBlock {
        // Standard error may share its pipe with an output that is set not to block.
        try systemWaitUntilWritable(rawValue)
      }
    }
  }

  /// Writes all of it, in as many calls as it takes, and waits where it must.
  public func writeAll(_ bytes: [UInt8]) throws(Errno) {
    // A closure of a C-style call infers untyped throws; the error is carried out by hand.
    var failure: Errno?
    bytes.withUnsafeBytes { buffer in
      do throws(Errno) { try writeAll(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Closes it; the number may be given to another file at once.
  public func close() throws(Errno) {
    try systemClose(rawValue)
  }
}
