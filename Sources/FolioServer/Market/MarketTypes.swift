package import FolioDomain
import FolioWire

/// Why assets can't be in a market.
@nonexhaustive
package enum MarketError: DomainError, Hashable {
  /// There would be more asset types than clients take; one that is too many.
  case tooManyTypes(AssetType)

  package var code: String { "tooManyAssetTypes" }
  package var message: String {
    switch self {
    case .tooManyTypes(let type):
      "'\(type.text)' would be one asset type too many; a market has at most "
        + "\(Wire.assetTypeLimit)"
    }
  }
  package var hint: String { "use fewer types; nothing of the file was taken" }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  /// Checks that the assets of a space are not of more types than a market has.
  ///
  /// O(types): each is looked up once, however many assets it has.
  func checkAssetTypes(in space: Space) throws {
    var from: [UInt8]? = []
    for _ in 0..<Wire.assetTypeLimit {
      guard let start = from else { return }
      from = nil
      if let type = try firstType(in: space, from: start) {
        // No byte of a type is as low as 1, so this is after all assets of the type.
        from = Array(type.text.utf8) + [1]
      }
    }
    guard let from, let type = try firstType(in: space, from: from) else { return }
    throw MarketError.tooManyTypes(type)
  }

  private func firstType(in space: Space, from key: [UInt8]) throws -> AssetType? {
    var type: AssetType?
    try scan(space, RowRange(from: key), .ascending) { key, _ in
      type = try TableKey.asset(ofKey: key, in: space).type
      return .stop
    }
    return type
  }
}
