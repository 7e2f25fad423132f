import FolioDomain

/// Why a server's folder can't be used as asked.
@nonexhaustive
package enum FolderError: DomainError, Hashable {
  /// There is no server's data in the folder.
  case missing(String)
  /// The folder holds something that is not a server's.
  case foreign(String)
  /// The folder is to be made, and is there with something in it.
  case notEmpty(String)
  /// The folder was written by a newer version of the program.
  case newerFormat(String, found: UInt32, supported: UInt32)
  /// Somebody else uses the folder.
  case busy(String)
  /// The base currency is not three capital letters.
  case baseCurrency(String)
  /// What is to be restored is damaged.
  case damagedBackup(String, problems: Int)

  package var code: String {
    switch self {
    case .missing: "dataMissing"
    case .foreign: "dataForeign"
    case .notEmpty: "folderNotEmpty"
    case .newerFormat: "formatNewer"
    case .busy: "dataBusy"
    case .baseCurrency: "baseCurrencyMalformed"
    case .damagedBackup: "backupDamaged"
    }
  }

  package var message: String {
    switch self {
    case .missing(let path): "there is no server's data in \(path)"
    case .foreign(let path): "\(path) holds data that is not a server's"
    case .notEmpty(let path): "\(path) is not empty"
    case .newerFormat(let path, let found, let supported):
      "\(path) has format \(found); this program reads formats up to \(supported)"
    case .busy(let reason): reason
    case .baseCurrency(let code): "\"\(code)\" is no currency code"
    case .damagedBackup(let path, let problems):
      "\(path) is damaged: \(problems) problems were found"
    }
  }

  package var hint: String {
    switch self {
    case .missing: "make it with: folio-server --data DIR init"
    case .foreign, .notEmpty: "name another folder, or one that is not there"
    case .newerFormat: "use the version of the program that wrote it, or a newer one"
    case .busy: "end the programs that use it, then try again"
    case .baseCurrency: "write three capital letters, such as USD"
    case .damagedBackup: "use an older backup; nothing was changed"
    }
  }
}
