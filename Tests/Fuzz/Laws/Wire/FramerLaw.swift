import FolioWire

extension Law {
  /// How a stream is cut makes no difference, and its lines are those that a plain reading gives.
  ///
  /// The first byte of an input says how long a line may be and how long pieces are; the rest is the
  /// stream.
  public static let framer = Law("framer") { input, isPlanted in
    let setting = input.first ?? 0
    let stream = Array(input.dropFirst())
    let limit = Int(setting >> 4) * 4
    let expected = Framed(reading: stream, limit: limit)
    for size in [1, 1 + Int(setting & 0xF), max(stream.count, 1)] {
      let framed = try Framed(feeding: stream, in: size, limit: limit, isPlanted)
      try require(
        framed == expected, "in pieces of \(size): \(framed), where a plain reading is \(expected)")
    }
  }
}

/// What comes of a stream: its lines, and the fault after them.
private struct Framed: Equatable {
  var lines: [[UInt8]] = []
  var fault: WireError?

  /// What a framer makes of the stream.
  init(feeding stream: [UInt8], in size: Int, limit: Int, _ isPlanted: Bool) throws {
    var framer = LineFramer(lineByteLimit: limit)
    var mostPending = 0
    do throws(WireError) {
      for start in stride(from: 0, to: stream.count, by: size) {
        var piece = stream[start..<min(start + size, stream.count)]
        // The fault that is planted: a return that is cut from the end of its line is lost.
        if isPlanted, piece.count > 1, piece.last == 0x0D { piece.removeLast() }
        framer.append(piece)
        while let line = try framer.next() { lines.append(line) }
        mostPending = max(mostPending, framer.pendingByteCount)
      }
      try framer.finish()
    } catch {
      fault = error
      try staysFailed(framer)
    }
    // A line, and a return that may turn out to belong to its end.
    try require(mostPending <= limit + 1, "\(mostPending) bytes wait, of lines of \(limit)")
  }

  private func staysFailed(_ framer: LineFramer) throws {
    var framer = framer
    framer.append([0x61, 0x0A])
    var again: WireError?
    do throws(WireError) { _ = try framer.next() } catch { again = error }
    try require(again == fault, "failed, then \(String(describing: again))")
    try require(framer.pendingByteCount == 0, "a failed framer keeps bytes")
  }

  /// What the rules say of the stream, looked at as a whole.
  init(reading stream: [UInt8], limit: Int) {
    var rest = stream[...]
    while true {
      let end = rest.firstIndex(of: 0x0A)
      let whole = rest[..<(end ?? rest.endIndex)]
      var line = whole
      if line.last == 0x0D { line.removeLast() }
      if let place = line.firstIndex(of: 0x0D).map({ $0 - line.startIndex }), place <= limit {
        fault = WireError(.strayCarriageReturn, at: place)
        return
      }
      if line.count > limit {
        fault = WireError(.lineTooLong, at: limit)
        return
      }
      guard let end else {
        if !whole.isEmpty { fault = WireError(.unterminatedLine, at: whole.count) }
        return
      }
      lines.append(Array(line))
      rest = rest[(end + 1)...]
    }
  }
}
