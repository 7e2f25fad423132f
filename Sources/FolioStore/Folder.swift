internal import FolioSystem

/// What a folder holds, as far as making a store in it asks.
enum Folder {
  /// The names in a folder; nil where there is none.
  static func names(in path: String) throws -> [String]? {
    do {
      return try Files.entries(of: path)
    } catch let error {
      if error.errno == .notFound { return nil }
      if error.errno == .notAFolder { throw StoreError.folderNotEmpty(path: path) }
      throw error
    }
  }

  /// Whether the storage itself makes a file of that name, for good or while it makes another.
  static func isOfStorage(_ name: String) -> Bool {
    name.hasSuffix(".mdb") || name.hasSuffix(".mdb.new") || name == "folio.lock"
  }

  /// Whether that error of the system says that there is nothing at a path.
  static func isAbsent(_ number: Int32) -> Bool {
    number == Errno.notFound.rawValue || number == Errno.notAFolder.rawValue
  }
}
