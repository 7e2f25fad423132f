/// Which columns of a file say what an import needs.
///
/// Without a map the columns' own names say it: `asset`, or `type` and `id`, or `symbol`; `amount`;
/// `category`; and those of an export.
public struct ImportMap: Hashable, Sendable {
  /// What a row can say.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    /// What the row is about: `holding`, `document` or `snapshot`.
    case kind
    /// An asset, like `stock:AAPL`.
    case asset
    /// An asset's type.
    case type
    /// An asset's id within its type.
    case id
    /// An asset's symbol, which is looked up in the asset table.
    case symbol
    /// How much of the asset.
    case amount
    /// The category it goes into.
    case category
    /// A document's collection.
    case collection
    /// A document's id.
    case document
    /// A document's fields, an object of JSON.
    case fields
  }

  /// Where a field is found.
  public enum Source: Hashable, Sendable {
    /// In the column of that name.
    case column(String)
    /// In the column of that number, from 1.
    case number(Int)
    /// Nowhere: every row says this.
    case text(String)
  }

  /// Where the fields are found that are not in columns of their own names.
  public private(set) var sources: [Field: Source] = [:]

  /// Each field in the column of its own name.
  public init() {}

  /// A map as a person writes it: `symbol=Ticker,amount=#3,type:=stock` is the symbol from the column
  /// Ticker, the amount from the third one, and the type stock for every row.
  ///
  /// - Throws: ``ImportError``.
  public init(_ text: String) throws(ImportError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "=") else { throw .badMap(String(part)) }
      let isText = equals > part.startIndex && part[part.index(before: equals)] == ":"
      let name = part[..<equals].dropLast(isText ? 1 : 0)
      let value = String(part[part.index(after: equals)...])
      guard let field = Field(rawValue: name.lowercased()) else {
        throw .unknownField(String(name))
      }
      guard sources[field] == nil, !value.isEmpty else { throw .badMap(String(part)) }
      sources[field] = try Self.source(value, isText: isText, part)
    }
  }

  private static func source(
    _ value: String, isText: Bool, _ part: Substring
  ) throws(ImportError) -> Source {
    if isText { return .text(value) }
    guard value.hasPrefix("#") else { return .column(value) }
    guard let number = Int(value.dropFirst()), number > 0 else { throw .badMap(String(part)) }
    return .number(number)
  }
}
