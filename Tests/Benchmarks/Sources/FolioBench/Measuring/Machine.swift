import CBaseline
import Foundation

/// What the figures were measured on.
struct Machine: Encodable {
  var processor: String
  var processors: Int
  var memoryMiB: Int
  var system: String
  var load: Double
  /// The folder that what is durable is written to, and what it lies on.
  var folder: String
  var disk: String
  var fileSystem: String
  /// The libraries and peers, with their versions.
  var libraries: [String]
  var isLong: Bool

  /// This machine, with that folder for what is written.
  init(folder: String, libraries: [String], isLong: Bool) {
    let info = ProcessInfo.processInfo
    processor = Self.field("model name", of: "/proc/cpuinfo") ?? "unknown"
    processors = info.activeProcessorCount
    memoryMiB = Int(info.physicalMemory >> 20)
    system = info.operatingSystemVersionString
    var loads = [0.0, 0, 0]
    getloadavg(&loads, 3)
    load = loads[0]
    self.folder = folder
    (disk, fileSystem) = Self.mount(of: folder)
    let swift = Command.firstLine("swift", "--version") ?? "Swift of an unknown version"
    self.libraries = [swift, String(cString: baseline_engine())] + libraries
    self.isLong = isLong
  }

  /// Whether what is written to the folder stays in memory.
  var isInMemory: Bool { ["tmpfs", "ramfs"].contains(fileSystem) }

  var text: String {
    """
    \(processor), \(processors) processors, \(memoryMiB) MiB, \(system), load \(load.text)
    \(folder) on \(disk), \(fileSystem)
    \(libraries.joined(separator: "; "))
    """
  }

  private static func field(_ name: String, of file: String) -> String? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
  }

  /// The device and the type of the file system that a folder is on.
  private static func mount(of folder: String) -> (String, String) {
    guard let text = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else {
      return ("unknown", "unknown")
    }
    var best = (point: "", device: "unknown", type: "unknown")
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count > 2,
        folder == fields[1] || folder.hasPrefix(fields[1] == "/" ? "/" : fields[1] + "/"),
        fields[1].count >= best.point.count
      else { continue }
      best = (fields[1], fields[0], fields[2])
    }
    return (best.device, best.type)
  }
}

/// Other programs, run to their end.
enum Command {
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  /// The first line that a program prints.
  static func firstLine(_ words: String...) -> String? {
    guard let text = try? run(words) else { return nil }
    return text.split(separator: "\n").first.map(String.init)
  }

  /// Runs a program to its end and gives what it printed.
  static func run(_ words: [String], variables: [String: String] = [:]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(
        description: "\(words.joined(separator: " ")): exit \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
