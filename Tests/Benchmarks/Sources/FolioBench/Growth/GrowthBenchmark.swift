import Foundation

/// What one operation costs at 1, 10 and 100 times the size: of the page, the store or the log.
///
/// The other benchmarks measure growth of what they have at hand in several sizes; here is the rest.
enum GrowthBenchmark: Benchmark {
  static let name = "growth"
  static let title = "one operation at 1, 10 and 100 times the size / itself at the least size"
  static let bar = "at most the logarithm"
  static let size = Size(10_000, long: 100_000, "assets, documents, entries of the log at most")
  static let rounds = 5

  static func measure(_ run: Run) throws {
    let greatest = run.count(size)
    let sizes = [greatest / 100, greatest / 10, greatest]
    try run.output.add(try page())
    try run.inFolder("growth") { folder in
      try run.output.add(try saves(folder, sizes))
      for growth in try documents(folder, sizes) { try run.output.add(growth) }
      try run.output.add(try appends(run.programs(), folder, sizes))
    }
  }

  private static func page() throws -> Growth {
    let sizes = [10, 100, 1_000]
    let pages = try sizes.map { try PageWork(transactions: $0) }
    return try .measure(
      "page.decode.typed, a transaction", of: "transactions", sizes: sizes, rounds: rounds
    ) { place in
      let count = sizes[place]
      let time = try Stopwatch.processor(20_000 / count) {
        try demand(pages[place].decodeTyped() == count, "a page of another number")
      }
      return time / Double(count)
    }
  }

  private static func saves(_ folder: String, _ sizes: [Int]) throws -> Growth {
    let stores = try sizes.map { try GrowingStore(folder + "/assets \($0)", assetCount: $0) }
    defer { for store in stores { store.close() } }
    return try .measure("save", of: "assets", sizes: sizes, rounds: rounds) { place in
      try stores[place].save(100)
    }
  }

  private static func documents(_ folder: String, _ sizes: [Int]) throws -> [Growth] {
    var stores = try sizes.map { try GrowingCollection(folder + "/documents \($0)", count: $0) }
    defer { for store in stores { store.close() } }
    return [
      try .measure("document.get", of: "documents", sizes: sizes, rounds: rounds) { place in
        try stores[place].get(1_000)
      },
      try .measure("document.put", of: "documents", sizes: sizes, rounds: rounds) { place in
        try stores[place].put()
      },
    ]
  }

  /// Of 64 clients, to servers whose logs have so many entries together.
  private static func appends(
    _ programs: Programs, _ folder: String, _ sizes: [Int]
  ) throws -> Growth {
    let servers = try sizes.map {
      try GrowingLog(programs, folder + "/server \($0)", entryCount: $0)
    }
    defer { for server in servers { server.stop() } }
    return try .measure("append, 64 clients", of: "entries", sizes: sizes, rounds: rounds) {
      place in
      try servers[place].append(each: 5)
    }
  }
}
