import FolioDomain
import FolioJSON
import FolioStore

/// Makes of the rows of a file what the domain imports, by a map.
struct RowReading {
  /// What a row comes to.
  enum Item {
    case row(ImportedRow)
    /// A row of a snapshot, which is history and is not imported.
    case snapshot
  }

  private let places: [ImportMap.Field: Place]
  /// Symbols that were looked up.
  private var symbols: [String: [AssetKey]] = [:]

  /// Where a field's value is.
  private enum Place {
    case column(String)
    case text(String)
  }

  /// The columns that say nothing an import takes.
  let ignoredColumns: [String]

  /// A reading of that table.
  ///
  /// - Throws: ``ImportError`` where the map and the columns do not go together.
  init(_ table: FileTable, _ map: ImportMap) throws(ImportError) {
    var places: [ImportMap.Field: Place] = [:]
    var used: Set<String> = []
    for field in ImportMap.Field.allCases {
      guard let source = map.sources[field] else {
        guard let own = table.columns.first(where: { $0.lowercased() == field.rawValue }) else {
          continue
        }
        places[field] = .column(own)
        used.insert(own)
        continue
      }
      switch source {
      case .text(let text): places[field] = .text(text)
      case .column(let name):
        guard table.columns.contains(name) else {
          throw .columnMissing(name, columns: table.columns)
        }
        places[field] = .column(name)
        used.insert(name)
      case .number(let number):
        guard number <= table.columns.count else {
          throw .columnMissing("#\(number)", columns: table.columns)
        }
        places[field] = .column(FileTable.name(ofColumn: number))
        used.insert(table.columns[number - 1])
      }
    }
    for case .column(let name) in places.values where table.twice.contains(name) {
      throw .columnTwice(name)
    }
    self.places = places
    // What an export writes beside is known, and need not be told.
    used.formUnion(ExportRow.allColumns)
    ignoredColumns = table.columns.filter { !used.contains($0) && !$0.isEmpty }
    try requireFields(table.columns)
  }

  private func requireFields(_ columns: [String]) throws(ImportError) {
    let has = { places[$0] != nil }
    if has(.collection) || has(.document) || has(.kind) { return }
    guard has(.asset) || has(.id) || has(.symbol) else {
      throw .fieldMissing(.asset, columns: columns)
    }
    guard has(.amount) else { throw .fieldMissing(.amount, columns: columns) }
  }

  /// What a row comes to.
  ///
  /// - Parameters:
  ///   - values: The row.
  ///   - state: The state whose asset table symbols are looked up in.
  /// - Throws: `ImportRowError`, or the domain's error for what it says.
  mutating func item(
    _ values: [String: FileTable.Value], _ state: borrowing StoreReadTransaction
  ) throws -> Item {
    switch text(.kind, values)?.lowercased() ?? inferredKind(values) {
    case "holding": .row(try holding(values, state))
    case "document": .row(try document(values))
    case "snapshot": .snapshot
    case let other: throw ImportRowError.unknownKind(other)
    }
  }

  private func inferredKind(_ values: [String: FileTable.Value]) -> String {
    if text(.document, values) != nil || text(.collection, values) != nil { return "document" }
    return values["slot"] == nil ? "holding" : "snapshot"
  }

  private func value(
    _ field: ImportMap.Field, _ values: [String: FileTable.Value]
  ) -> FileTable.Value? {
    switch places[field] {
    case nil: nil
    case .text(let text)?: .text(text)
    case .column(let name)?: values[name]
    }
  }

  /// A field's text without the spaces around it; nil where it is empty.
  private func text(
    _ field: ImportMap.Field, _ values: [String: FileTable.Value]
  ) -> String? {
    guard case .text(let text)? = value(field, values) else { return nil }
    let trimmed = text.drop { $0 == " " }
    let end = trimmed.lastIndex { $0 != " " }
    return end.map { String(trimmed[...$0]) }
  }

  private func required(
    _ field: ImportMap.Field, _ values: [String: FileTable.Value]
  ) throws -> String {
    guard let text = text(field, values) else { throw ImportRowError.missing(field) }
    return text
  }

  // MARK: Holdings

  private mutating func holding(
    _ values: [String: FileTable.Value], _ state: borrowing StoreReadTransaction
  ) throws -> ImportedRow {
    .holding(
      try asset(values, state), try amount(values),
      category: try text(.category, values).map { try Category(named: $0) })
  }

  private func amount(_ values: [String: FileTable.Value]) throws -> Amount {
    let text = try required(.amount, values)
    do {
      return try Amount(text, form: .imported)
    } catch {
      if text.utf8.contains(UInt8(ascii: ",")) { throw ImportRowError.decimalComma(text) }
      throw error
    }
  }

  private mutating func asset(
    _ values: [String: FileTable.Value], _ state: borrowing StoreReadTransaction
  ) throws -> AssetKey {
    if let text = text(.asset, values) { return try AssetKey(text) }
    let type = try text(.type, values).map { try AssetType(validating: $0) }
    if let id = text(.id, values) {
      guard let type else { throw ImportRowError.missing(.type) }
      return AssetKey(type: type, id: try AssetID(validating: id))
    }
    guard let symbol = text(.symbol, values) else { throw ImportRowError.missing(.asset) }
    let found = try assets(symbol, type, state)
    guard let asset = found.first else { throw ImportRowError.symbolUnknown(symbol) }
    guard found.count == 1 else { throw ImportRowError.symbolAmbiguous(symbol, found) }
    return asset
  }

  /// The assets of a symbol, all of them: it is no identity.
  private mutating func assets(
    _ symbol: String, _ type: AssetType?, _ state: borrowing StoreReadTransaction
  ) throws -> [AssetKey] {
    let key = (type?.text ?? "") + ":" + symbol
    if let known = symbols[key] { return known }
    let wanted = symbol.lowercased()
    let found = try state.searchAssets(symbol, type: type)
      .filter { $0.symbol.lowercased() == wanted }.map(\.asset)
    symbols[key] = found
    return found
  }

  // MARK: Documents

  private func document(_ values: [String: FileTable.Value]) throws -> ImportedRow {
    let collection = try CollectionName(validating: try required(.collection, values))
    let id = try DocumentID(try required(.document, values))
    let fields: JSONValue
    switch value(.fields, values) {
    case nil: throw ImportRowError.missing(.fields)
    case .json(let value)?: fields = value
    case .text(let text)?:
      do throws(JSONError) {
        fields = try JSONValue(parsing: text, .rfc8259)
      } catch {
        throw ImportRowError.fieldsNotJSON("\(error)")
      }
    }
    return .document(try DocumentPut(collection: collection, document: id, fields: fields))
  }
}
