public import FolioDomain

/// Why a file cannot be imported at all.
@nonexhaustive
public enum ImportError: DomainError, Hashable {
  /// A part of a map is not `FIELD=COLUMN`, `FIELD=#NUMBER` or `FIELD:=TEXT`, or is there twice.
  case badMap(String)
  /// A map names a field that there is not.
  case unknownField(String)
  /// A map names a column that the file does not have.
  case columnMissing(String, columns: [String])
  /// Two columns that matter have one name.
  case columnTwice(String)
  /// No column says what is needed.
  case fieldMissing(ImportMap.Field, columns: [String])
  /// The file has no rows.
  case empty
  /// The file is not UTF-8, but looks like UTF-16.
  case notUTF8
  /// The header cannot be read.
  case header(line: Int, what: String)
  /// The JSON of the file is broken, or is neither an array of objects nor a line for each.
  case json(line: Int, what: String)

  /// The stable name of the error.
  public var code: String {
    switch self {
    case .badMap: "importBadMap"
    case .unknownField: "importUnknownField"
    case .columnMissing: "importColumnMissing"
    case .columnTwice: "importColumnTwice"
    case .fieldMissing: "importFieldMissing"
    case .empty: "importEmpty"
    case .notUTF8: "importNotUTF8"
    case .header: "importHeader"
    case .json: "importJSON"
    }
  }

  /// What is wrong, and where.
  public var message: String {
    switch self {
    case .badMap(let part): "'\(part)' is no part of a map, or a field is mapped twice"
    case .unknownField(let name): "there is no field '\(name)' to map a column to"
    case .columnMissing(let name, let columns):
      "the file has no column '\(name)'; it has \(Self.list(columns))"
    case .columnTwice(let name): "the file has two columns '\(name)'"
    case .fieldMissing(let field, let columns):
      "no column says the \(field.rawValue); the file has \(Self.list(columns))"
    case .empty: "the file has no rows"
    case .notUTF8: "the file is not UTF-8: it begins like UTF-16"
    case .header(let line, let what): "line \(line), the header: \(what)"
    case .json(let line, let what): "line \(line): \(what)"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .badMap: "write FIELD=COLUMN, FIELD=#NUMBER or FIELD:=TEXT, with commas between"
    case .unknownField:
      "the fields are \(ImportMap.Field.allCases.map(\.rawValue).joined(separator: ", "))"
    case .columnMissing: "write the column as the header does, or its number: FIELD=#2"
    case .columnTwice: "name the column by its number: FIELD=#2"
    case .fieldMissing: "say which column it is: --map symbol=Ticker,type:=stock,amount=Quantity"
    case .empty: "a header, and a line for each holding"
    case .notUTF8: "save it as UTF-8"
    case .header: "write the names of the columns into the first line"
    case .json: "an array of objects, or an object a line"
    }
  }

  private static func list(_ columns: [String]) -> String {
    let shown = columns.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
    return columns.count > 20 ? shown + ", ..." : shown
  }
}

/// Why a row of a file cannot be imported, beside the rules of what it says.
@nonexhaustive
public enum ImportRowError: DomainError, Hashable {
  /// The row has more or fewer fields than the header.
  case columnCount(Int, header: Int)
  /// The row does not say what is needed.
  case missing(ImportMap.Field)
  /// The row says that it is of a kind that there is not.
  case unknownKind(String)
  /// A number has a comma in it.
  case decimalComma(String)
  /// The asset table has no asset of that symbol.
  case symbolUnknown(String)
  /// The asset table has several assets of that symbol.
  case symbolAmbiguous(String, [AssetKey])
  /// A document's fields are not an object of JSON.
  case fieldsNotJSON(String)
  /// The record breaks the grammar of CSV, or the object that of JSON.
  case broken(code: String, what: String, hint: String)

  /// The stable name of the error.
  public var code: String {
    switch self {
    case .columnCount: "importColumnCount"
    case .missing: "importMissing"
    case .unknownKind: "importUnknownKind"
    case .decimalComma: "importDecimalComma"
    case .symbolUnknown: "importSymbolUnknown"
    case .symbolAmbiguous: "importSymbolAmbiguous"
    case .fieldsNotJSON: "importFieldsNotJSON"
    case .broken(let code, _, _): code
    }
  }

  /// What is wrong.
  public var message: String {
    switch self {
    case .columnCount(let count, let header): "\(count) fields, where the header has \(header)"
    case .missing(let field): "the \(field.rawValue) is missing"
    case .unknownKind(let kind): "there is no kind '\(kind)'"
    case .decimalComma(let text): "'\(text)' has a comma: is it a decimal comma, or for thousands?"
    case .symbolUnknown(let symbol): "the asset table has no symbol '\(symbol)'"
    case .symbolAmbiguous(let symbol, let assets):
      "'\(symbol)' is the symbol of \(assets.prefix(5).map(\.text).joined(separator: ", "))"
        + (assets.count > 5 ? " and \(assets.count - 5) more" : "")
    case .fieldsNotJSON(let what): "the fields are no object of JSON: \(what)"
    case .broken(_, let what, _): what
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .columnCount: "quote a field that has a comma in it"
    case .missing: "fill it in, or leave the row out"
    case .unknownKind: "holding, document or snapshot; --map kind:=holding leaves the column out"
    case .decimalComma: "write a point before decimal places and nothing between thousands: 1234.5"
    case .symbolUnknown, .symbolAmbiguous:
      "name the asset by type and id; 'folio asset search' finds it"
    case .fieldsNotJSON: "write it like {\"title\":\"Rent\"}"
    case .broken(_, _, let hint): hint
    }
  }
}
