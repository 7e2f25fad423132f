import FolioSystem

/// Price and asset files of real markets, where they are at hand.
///
/// They are looked for in the folder that `FOLIO_TEST_DATA` names, else beside the checkout; they
/// are no part of the project, and a test that needs one is skipped, saying so, where it is not
/// there.
public enum RealData {
  private static let folder: String = {
    if let named = ProcessEnvironment.value(of: "FOLIO_TEST_DATA") { return named }
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(package)/../shared/data"
  }()

  /// Where a file would be.
  public static func path(_ name: String) -> String { folder + "/" + name }

  /// Whether a file is there.
  public static func has(_ name: String) -> Bool { (try? Files.kind(of: path(name))) == .file }

  /// The bytes of a file.
  public static func read(_ name: String) throws -> [UInt8] {
    try Files.read(path(name), byteCountMax: 1 << 28)
  }

  /// Why a test that needs a file is skipped.
  public static func reason(_ name: String) -> String {
    "needs \(name) in the folder of FOLIO_TEST_DATA"
  }
}
