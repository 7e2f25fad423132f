import FolioDomain
import FolioJSON
import FolioWire
import Foundation

/// The published pages and vectors, which stand under Protocol.
enum Published {
  /// The folder of version 1; `PROTOCOL_DIR` in the environment names another Protocol folder.
  static let folder: URL = {
    let root =
      ProcessInfo.processInfo.environment["PROTOCOL_DIR"].map { URL(filePath: $0) }
      ?? tests.deletingLastPathComponent().appending(path: "Protocol")
    return root.appending(path: "v1")
  }()

  /// The folder of all tests.
  static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The text of the specification.
  static var specification: String {
    get throws {
      try String(contentsOf: folder.appending(path: "specification.md"), encoding: .utf8)
    }
  }

  static var vectors: URL { folder.appending(path: "vectors") }

  /// The objects of a file.
  static func objects(_ file: String) throws -> [JSONObject] {
    let bytes = [UInt8](try Data(contentsOf: vectors.appending(path: file)))
    return try bytes.split(separator: 0x0A).map {
      JSONObject(try JSONValue(parsing: Array($0), .rfc8259))
    }
  }
}

/// Members of an object, for tests to ask for.
struct JSONObject: CustomStringConvertible {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.name == name }?.value
  }

  func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  func number(_ name: String) -> Int64? {
    if case .integer(let number)? = self[name] { number } else { nil }
  }

  func flag(_ name: String) -> Bool? {
    if case .bool(let flag)? = self[name] { flag } else { nil }
  }

  func list(_ name: String) -> [JSONValue] {
    if case .array(let values)? = self[name] { values } else { [] }
  }

  func texts(_ name: String) -> [String] {
    list(name).compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  var description: String { text("name") ?? "\(value)" }
}

extension JSONValue {
  /// An object of those members, in byte order of their names.
  static func members(_ members: [String: JSONValue]) -> JSONValue {
    .object(
      members.map { JSONMember($0.key, $0.value) }.sorted {
        $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      })
  }

  /// The canonical text.
  var text: String {
    get throws { String(decoding: try canonicalBytes, as: UTF8.self) }
  }
}

extension WireEntry {
  /// Entries as they stand in vectors, read as a page.
  static func list(_ values: [JSONValue]) throws -> [WireEntry] {
    let zero = String(repeating: "0", count: 64)
    var entries: [WireEntry] = []
    for value in values {
      let line =
        #"{"entries":[\#(try value.text)],"last":{"hash":"\#(zero)","seq":1},"more":false,"#
        + #""re":1,"type":"page"}"#
      guard case .reply(_, .page(let page)) = try Message(line: Array(line.utf8)) else { continue }
      entries += page.entries
    }
    return entries
  }
}
