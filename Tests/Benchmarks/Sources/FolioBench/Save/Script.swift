import CBaseline

/// What a number of transactions put and delete, to be done again from C.
struct Script {
  private(set) var bytes: [UInt8] = []
  private(set) var steps: [baseline_step] = []
  /// For each transaction the number of the step after its last.
  private(set) var ends: [Int] = []

  /// Adds the transaction that makes `after` of `before`.
  mutating func add(from before: Dump, to after: Dump) {
    before.changes(to: after) { database, key, value in add(database, key, value) }
    ends.append(steps.count)
  }

  /// Adds a transaction that puts records into one database.
  mutating func add(
    _ records: some Sequence<(key: [UInt8], value: [UInt8])>, to database: Int
  ) {
    for record in records { add(database, record.key[...], record.value[...]) }
    ends.append(steps.count)
  }

  private mutating func add(_ database: Int, _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>?)
  {
    var step = baseline_step()
    step.database = Int32(database)
    step.is_deletion = value == nil ? 1 : 0
    step.key_start = bytes.count
    step.key_bytes = key.count
    bytes.append(contentsOf: key)
    step.value_start = bytes.count
    step.value_bytes = value?.count ?? 0
    if let value { bytes.append(contentsOf: value) }
    steps.append(step)
  }
}

/// The engine, used from C as its manual shows, with its default durability.
final class Baseline {
  private let handle: OpaquePointer
  private let script: Script
  private var done = 0

  /// Opens the environment of a folder, in which the script is to be done.
  init(_ folder: String, mapByteCount: Int, _ script: Script) throws {
    var opened: OpaquePointer?
    try Self.check(baseline_open(folder, mapByteCount, &opened))
    guard let opened else { throw Command.Failed(description: "no environment") }
    handle = opened
    self.script = script
  }

  deinit { baseline_close(handle) }

  /// Does the next `count` transactions of the script and gives the nanoseconds they took.
  func replay(_ count: Int) throws -> Int64 {
    var time: Int64 = 0
    let first = done == 0 ? 0 : script.ends[done - 1]
    let code = script.bytes.withUnsafeBufferPointer { bytes in
      script.steps.withUnsafeBufferPointer { steps in
        script.ends[done..<done + count].withUnsafeBufferPointer { ends in
          ends.withMemoryRebound(to: size_t.self) {
            baseline_replay(
              handle, bytes.baseAddress, steps.baseAddress, first, $0.baseAddress, count, &time)
          }
        }
      }
    }
    try Self.check(code)
    done += count
    return time
  }

  /// Gets the keys of those steps of the script in one read transaction.
  ///
  /// - Parameter body: Called with the bytes of each value, which are there while it runs.
  func get(_ wanted: [Int], _ body: (UnsafeRawBufferPointer) -> Void) throws {
    let code = withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { body in
        script.bytes.withUnsafeBufferPointer { bytes in
          script.steps.withUnsafeBufferPointer { steps in
            baseline_get(
              handle, bytes.baseAddress, steps.baseAddress, wanted, wanted.count,
              UnsafeMutableRawPointer(mutating: body)
            ) { context, _, _, _, value, count in
              let body = context?.assumingMemoryBound(to: ((UnsafeRawBufferPointer) -> Void).self)
              body?.pointee(UnsafeRawBufferPointer(start: value, count: count))
            }
          }
        }
      }
    }
    try Self.check(code)
  }

  static func check(_ code: Int32) throws {
    guard code == 0 else {
      throw Command.Failed(description: "LMDB: \(String(cString: baseline_text(code)))")
    }
  }
}
