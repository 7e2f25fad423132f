import Foundation

/// The published vectors, which stand under Protocol beside the specification.
enum Vectors {
  /// The folder of version 1; `PROTOCOL_DIR` in the environment names another Protocol folder.
  static let folder: URL = {
    let environment = ProcessInfo.processInfo.environment
    let root =
      environment["PROTOCOL_DIR"].map { URL(filePath: $0) }
      ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Protocol")
    return root.appending(path: "v1")
  }()

  /// The objects of a file.
  static func load<V: Decodable>(_ type: V.Type, from file: String) throws -> [V] {
    let text = try Data(contentsOf: folder.appending(path: "vectors/\(file)"))
    let decoder = JSONDecoder()
    return try text.split(separator: 0x0A).map { try decoder.decode(V.self, from: Data($0)) }
  }

  /// The bytes of hexadecimal digits.
  static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }
}

/// A line that is right.
struct ValidLine: Decodable, Sendable {
  var name: String
  var line: String
  var canonical: String?
  var requirements: [String]
}

/// A line that is not.
struct InvalidLine: Decodable, Sendable {
  var name: String
  var line: String?
  var hex: String?
  var code: String
  var offset: Int
  var request: UInt64?
  var requirements: [String]

  var bytes: [UInt8] { hex.map { Vectors.bytes($0) } ?? Array((line ?? "").utf8) }
}

/// A stream, and the lines in it.
struct FramedStream: Decodable, Sendable {
  var name: String
  var hex: String
  var limit: Int
  var lines: [String]
  var code: String?
  var offset: Int?
  var requirements: [String]
}

/// What comes of the versions that a client offers.
struct Negotiation: Decodable, Sendable {
  var offered: [Int]
  var version: Int?
  var code: String?
  var supported: [Int]?
  var requirements: [String]
}

/// A place of a chain; the entry that leads to it is read as part of a page.
struct ChainLink: Decodable, Sendable {
  var account: String?
  var hash: String
  var requirements: [String]
}
