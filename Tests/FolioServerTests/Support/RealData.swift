import FolioSystem
import Testing

/// Price and asset files of real markets, where they are at hand.
///
/// They are looked for in the folder that `FOLIO_TEST_DATA` names, else beside the checkout.
enum RealData {
  static let folder: String = {
    if let named = ProcessEnvironment.value(of: "FOLIO_TEST_DATA") { return named }
    let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(package)/../shared/data"
  }()

  /// Skips a test, saying so, where the file is not there.
  static func isAtHand(_ name: String) -> ConditionTrait {
    .enabled(
      if: (try? Files.kind(of: folder + "/" + name)) == .file,
      "needs \(name) in the folder of FOLIO_TEST_DATA")
  }

  static func read(_ name: String) throws -> [UInt8] {
    try Files.read(folder + "/" + name, byteCountMax: 1 << 28)
  }
}
