package import FolioDomain
import FolioJSON

/// The assets of a file with a JSON object on each line.
///
/// Of several lines with the same type and id the first counts; the others are named, as are lines
/// that are not right.
package struct AssetFile: Sendable {
  /// The most bytes of a symbol.
  package static let symbolByteLimit = 200
  /// The most bytes of a name.
  package static let nameByteLimit = 1000

  /// The assets, in the order of the lines.
  package private(set) var assets: [AssetInfo] = []
  /// Lines that repeat an asset of a line before them.
  package private(set) var repeated = LineProblems()
  /// Lines that are not right.
  package private(set) var problems = LineProblems()

  private var lines: [AssetKey: Int] = [:]

  /// Reads a file.
  ///
  /// Empty lines are nothing; members of other names are ignored.
  package init(_ bytes: UnsafeRawBufferPointer) {
    var splitter = LineSplitter(bytes)
    while let line = splitter.line() {
      if line.isEmpty { continue }
      do {
        add(try AssetLine.info(line), splitter.number)
      } catch let fault as JSONError {
        problems.add(splitter.number, "lineMalformed", fault.description)
      } catch let fault as any DomainError {
        problems.add(splitter.number, fault.code, fault.message)
      } catch {
        problems.add(splitter.number, "unreadable", "the line can't be read")
      }
    }
  }

  private mutating func add(_ info: AssetInfo, _ line: Int) {
    if let first = lines[info.asset] {
      repeated.add(
        line, "repeatedAsset", "\(info.asset.text) stands on line \(first) already; that one counts"
      )
      return
    }
    lines[info.asset] = line
    assets.append(info)
  }
}

/// What can be wrong with a line that describes an asset, beyond its JSON.
enum AssetLineError: DomainError {
  case missing(String)
  case tooLong(String, limit: Int)
  case rank
  case successionIncomplete

  var code: String {
    switch self {
    case .missing: "memberMissing"
    case .tooLong: "memberTooLong"
    case .rank: "rankOutOfRange"
    case .successionIncomplete: "successorMissing"
    }
  }

  var message: String {
    switch self {
    case .missing(let member): "the member \"\(member)\" is missing"
    case .tooLong(let member, let limit): "\"\(member)\" is longer than \(limit) bytes"
    case .rank: "a rank is an integer from 1 to \(UInt32.max)"
    case .successionIncomplete: "\"factor\" and \"fromSlot\" belong to a \"successor\""
    }
  }

  var hint: String {
    #"write {"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Bitcoin","rank":1}"#
  }
}

/// One line of an asset file.
private struct AssetLine {
  private enum Member: String, CaseIterable {
    case type, id, symbol, name, rank, successor, factor, fromSlot
  }

  private static let table = JSONMemberTable<Member>()

  private var type: String?
  private var id: String?
  private var symbol: String?
  private var name: String?
  private var rank: Int?
  private var successor: AssetID?
  private var factor: Price?
  private var fromSlot: Slot?

  static func info(_ bytes: UnsafeRawBufferPointer) throws -> AssetInfo {
    var line = AssetLine()
    var reader = JSONReader(
      bytes.bytes, JSONRules(numbers: .any, depthMax: 32, refusesDuplicates: true))
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, table) {
      if try reader.readNull() { continue }
      try line.read(member, &reader)
    }
    try reader.finish()
    return try line.info()
  }

  private mutating func read(_ member: Member, _ reader: inout JSONReader) throws {
    switch member {
    case .type: type = try reader.readString()
    case .id: id = try reader.readString()
    case .symbol: symbol = try reader.readString()
    case .name: name = try reader.readString()
    case .rank:
      let value = try reader.readInteger()
      guard (1...Int64(UInt32.max)).contains(value) else { throw AssetLineError.rank }
      rank = Int(value)
    case .successor: successor = try AssetID(validating: try reader.readString())
    case .factor: factor = try Self.decimal(&reader)
    case .fromSlot: fromSlot = try Slot(try reader.readString())
    }
  }

  /// A decimal as a string or as a number, of which the digits are read.
  private static func decimal(_ reader: inout JSONReader) throws -> Price {
    guard try reader.peek() == .number else {
      return try Price(try reader.readString(), form: .imported)
    }
    let start = reader.offset
    try reader.skipValue()
    let digits = reader.bytes.extracting(start..<reader.offset).copied
    return try digits.withUnsafeBytes { try Price(utf8: $0, form: .imported) }
  }

  private func info() throws -> AssetInfo {
    guard let type else { throw AssetLineError.missing("type") }
    guard let id else { throw AssetLineError.missing("id") }
    guard let symbol else { throw AssetLineError.missing("symbol") }
    guard let name else { throw AssetLineError.missing("name") }
    guard symbol.utf8.count <= AssetFile.symbolByteLimit else {
      throw AssetLineError.tooLong("symbol", limit: AssetFile.symbolByteLimit)
    }
    guard name.utf8.count <= AssetFile.nameByteLimit else {
      throw AssetLineError.tooLong("name", limit: AssetFile.nameByteLimit)
    }
    guard successor != nil || (factor == nil && fromSlot == nil) else {
      throw AssetLineError.successionIncomplete
    }
    return AssetInfo(
      asset: AssetKey(type: try AssetType(validating: type), id: try AssetID(validating: id)),
      symbol: symbol, name: name, rank: rank,
      successor: successor.map {
        Successor(id: $0, factor: factor ?? .one, fromSlot: fromSlot ?? Slot.range.lowerBound)
      })
  }
}
