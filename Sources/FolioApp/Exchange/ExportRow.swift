import FolioCSV
import FolioDomain
import FolioJSON

/// The form of an exported file.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// RFC 4180, with a header.
  case csv
  /// An array of objects, one a line.
  case json
}

/// What is exported.
public enum ExportContent: String, Hashable, Sendable, CaseIterable {
  /// What is held of each asset, what is pending included, and its category.
  case holdings
  /// The documents of all collections that are not deleted.
  case documents
  /// What was held and what it was worth in each closed snapshot; not imported again.
  case snapshots
}

/// A row of an exported file.
enum ExportRow {
  case holding(Holding)
  case document(Document)
  case snapshot(SnapshotAsset, Slot)

  /// The columns of each content, and those of all.
  static func columns(_ contents: Set<ExportContent>) -> [String] {
    guard contents.count == 1 else { return allColumns }
    switch contents.first {
    case .holdings?: return ["asset", "amount", "category"]
    case .documents?: return ["collection", "document", "createdAt", "updatedAt", "fields"]
    default: return ["slot", "asset", "amount", "category", "price", "pricedAt", "value"]
    }
  }

  /// The columns of all contents together.
  static let allColumns = [
    "kind", "asset", "amount", "category", "slot", "price", "pricedAt", "value", "collection",
    "document", "createdAt", "updatedAt", "fields",
  ]

  /// The row's members, by the names of the columns.
  private var members: [(name: String, value: JSONValue)] {
    switch self {
    case .holding(let holding):
      [
        ("kind", .string("holding")), ("asset", .string(holding.asset.text)),
        ("amount", .string(holding.amount.decimalText)),
        ("category", .string(holding.category.spelling.text)),
      ]
    case .document(let document):
      [
        ("kind", .string("document")), ("collection", .string(document.key.collection.text)),
        ("document", .string(document.key.id.text)),
        ("createdAt", .string(document.createdAt.text)),
        ("updatedAt", .string(document.updatedAt.text)), ("fields", document.fields),
      ]
    case .snapshot(let asset, let slot):
      [
        ("kind", .string("snapshot")), ("slot", .string(slot.text)),
        ("asset", .string(asset.asset.text)), ("amount", .string(asset.amount.decimalText)),
        ("category", .string(asset.category.spelling.text)),
        ("price", asset.quote.map { .string($0.price.text) } ?? .null),
        ("pricedAt", asset.quote.map { .string($0.pricedAt.text) } ?? .null),
        ("value", asset.value.map { .string($0.text) } ?? .null),
      ]
    }
  }

  /// Appends the row as a record of CSV.
  func appendCSV(_ columns: [String], to bytes: inout [UInt8]) throws {
    var fields = [String](repeating: "", count: columns.count)
    for (name, value) in members {
      guard let place = columns.firstIndex(of: name) else { continue }
      switch value {
      case .string(let text): fields[place] = text
      case .null: break
      default: fields[place] = String(decoding: try value.canonicalBytes, as: UTF8.self)
      }
    }
    CSVWriter.append(fields, to: &bytes)
  }

  /// Appends the row as an object.
  func appendJSON(to bytes: inout [UInt8]) throws {
    let members = members.map { JSONMember($0.name, $0.value) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    bytes += try JSONValue.object(members).canonicalBytes
  }
}
