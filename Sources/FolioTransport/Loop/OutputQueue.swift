/// Bytes that wait to be sent, in order.
struct OutputQueue {
  /// Small pieces are put together up to this size, to be sent by one call.
  private static let chunkByteCount = 1 << 16
  private var chunks: [[UInt8]] = []
  private var firstIndex = 0
  private var sentOfFirst = 0
  private(set) var byteCount = 0

  var isEmpty: Bool { byteCount == 0 }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    byteCount += bytes.count
    if let last = chunks.indices.last, last >= firstIndex,
      chunks[last].count + bytes.count <= Self.chunkByteCount
    {
      chunks[last].append(contentsOf: bytes)
    } else {
      chunks.append(Array(bytes))
    }
  }

  mutating func append(_ bytes: [UInt8]) {
    if bytes.count < Self.chunkByteCount {
      bytes.withUnsafeBytes { append($0) }
    } else {
      byteCount += bytes.count
      chunks.append(bytes)
    }
  }

  /// Gives the first bytes that wait to `body`, which says how many of them are done with.
  mutating func consume<Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let outcome = chunks[firstIndex].withUnsafeBytes { chunk -> Result<Int, Failure> in
      do throws(Failure) {
        return .success(try body(UnsafeRawBufferPointer(rebasing: chunk[sentOfFirst...])))
      } catch {
        return .failure(error)
      }
    }
    let count = try outcome.get()
    byteCount -= count
    sentOfFirst += count
    if sentOfFirst == chunks[firstIndex].count { removeFirstChunk() }
    return count
  }

  private mutating func removeFirstChunk() {
    chunks[firstIndex] = []
    sentOfFirst = 0
    firstIndex += 1
    // An empty queue holds no memory; a long one is shifted rarely.
    if firstIndex == chunks.count {
      chunks = []
      firstIndex = 0
    } else if firstIndex >= 64, firstIndex * 2 >= chunks.count {
      chunks.removeFirst(firstIndex)
      firstIndex = 0
    }
  }
}
