import CBaseline
import Foundation

/// One restore by the programs: how long it took, and how much memory of their own they had.
struct RestoreRun {
  /// From the start of the program to its end.
  private(set) var seconds = 0.0
  /// What both programs together had of the processors.
  private(set) var processorSeconds = 0.0
  /// From the start to the last entry of the log: checked, merged, on disk.
  private(set) var logSeconds = 0.0
  /// From there to the last price table.
  private(set) var pricesSeconds = 0.0
  /// From there to the end of the program.
  private(set) var snapshotsSeconds = 0.0
  /// The most anonymous resident memory, in MiB.
  private(set) var clientMemory = 0.0
  private(set) var serverMemory = 0.0

  /// Restores a store, checks what the program says of it, and removes it.
  init(from server: BenchServer, at store: String, _ programs: Programs, count: Int) throws {
    let terminal = try Terminal()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: programs.folio)
    process.arguments = [
      "--store", store, "restore", "--server", server.url, "--account", BenchServer.account,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(BenchServer.variables) { $1 }
    let answer = Pipe()
    process.standardOutput = answer
    process.standardError = terminal.end
    process.standardInput = FileHandle.nullDevice
    let begin = Stopwatch.wall()
    let before = Stopwatch.children()
    try process.run()
    try terminal.end.close()
    defer { try? FileManager.default.removeItem(atPath: store) }
    var marks = Marks()
    while process.isRunning {
      let shown = terminal.read(within: 5)
      marks.take(shown, at: Self.since(begin))
      measure(process.processIdentifier)
    }
    seconds = Self.since(begin)
    processorSeconds = Stopwatch.children() - before
    logSeconds = marks.entries
    pricesSeconds = marks.tables - marks.entries
    snapshotsSeconds = seconds - marks.tables
    let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let told = [
      "\(count) transactions", "\(RestoreBenchmark.slots) price tables",
      "\(RestoreBenchmark.slots) snapshots", "a witness agrees at entry \(count - 500)",
    ]
    guard process.terminationStatus == 0, told.allSatisfy(text.contains), marks.tables > 0 else {
      throw Command.Failed(description: "the restored store is another one:\n\(text)\(marks.text)")
    }
  }

  private static func since(_ begin: Int64) -> Double { Double(Stopwatch.wall() - begin) / 1e9 }

  private mutating func measure(_ client: Int32) {
    clientMemory = max(clientMemory, Memory.anonymous(client))
    for process in Memory.descendants(client) {
      serverMemory = max(serverMemory, Memory.anonymous(process))
    }
  }

  /// When the program showed its progress on what, last.
  private struct Marks {
    var entries = 0.0
    var tables = 0.0
    private(set) var text = ""

    mutating func take(_ shown: String, at time: Double) {
      if shown.isEmpty { return }
      text = String((text + shown).suffix(2_000))
      if shown.contains("entries") { entries = time }
      if shown.contains("price tables") { tables = time }
    }
  }
}

/// What the system says of the memory of processes.
enum Memory {
  /// The resident memory of a process that is no file's, in MiB.
  static func anonymous(_ process: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let size = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    else { return 0 }
    return (Double(size) ?? 0) / 1_024
  }

  /// The processes that a process started, and those that they did.
  static func descendants(_ process: Int32) -> [Int32] {
    let path = "/proc/\(process)/task/\(process)/children"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    let children = text.split(separator: " ").compactMap { Int32($0) }
    return children + children.flatMap(descendants)
  }
}

/// A terminal for a program to show its progress on.
private struct Terminal {
  private let own: Int32
  /// The program's end.
  let end: FileHandle

  init() throws {
    var other: Int32 = -1
    own = baseline_terminal(&other)
    guard own >= 0 else { throw Command.Failed(description: "no terminal is to be had") }
    end = FileHandle(fileDescriptor: other, closeOnDealloc: true)
  }

  /// What was shown, waiting for it at most that many milliseconds.
  func read(within milliseconds: Int32) -> String {
    var wanted = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, milliseconds) > 0 else { return "" }
    guard wanted.revents & Int16(POLLIN) != 0 else {
      // The program has closed it, and is about to end.
      poll(nil, 0, milliseconds)
      return ""
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(own, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
  }
}
