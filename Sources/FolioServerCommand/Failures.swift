import FolioArguments
import FolioDomain
import FolioServer
import FolioSystem
import FolioTransport

/// What the user is told of an error, and the exit code that belongs to it.
func failure(_ error: any Error) -> Failure {
  switch error {
  case let error as FolderError: Failure(error, exit: exit(error))
  case let error as AccountError: failure(error)
  case let error as ServerStorageError: failure(error)
  case let error as FileError:
    Failure(error, exit: error.errno == .notFound ? .noInput : .io)
  case let error as TransportError: Failure(error, exit: .io)
  case let error as any DomainError: Failure(error, exit: .data)
  default:
    Failure(
      code: "internal", message: "\(error)", hint: "this is a fault of the program", exit: .internal
    )
  }
}

private func exit(_ error: FolderError) -> ExitCode {
  switch error {
  case .missing: .noInput
  case .notEmpty: .cannotCreate
  case .busy: .tryAgain
  case .foreign, .newerFormat, .damagedBackup, .baseCurrency: .data
  }
}

private func failure(_ error: AccountError) -> Failure {
  switch error {
  case .invalidName:
    Failure(
      code: "accountNameMalformed",
      message: "an account's name has 1 to 64 characters of a-z, 0-9, _ and -",
      hint: "choose another name", exit: .data)
  case .exists:
    Failure(
      code: "accountExists", message: "there is an account of that name",
      hint: "folio-server account list shows all of them", exit: .cannotCreate)
  case .unknown:
    Failure(
      code: "accountUnknown", message: "there is no account of that name",
      hint: "folio-server account list shows all of them", exit: .noInput)
  case .tooMany:
    Failure(
      code: "accountTooMany", message: "there are as many accounts as one folder can have",
      hint: "use another folder", exit: .cannotCreate)
  }
}

private func failure(_ error: ServerStorageError) -> Failure {
  switch error {
  case .damaged(let space, let what):
    Failure(
      code: "dataDamaged", message: "\(space.name) is damaged: \(what)",
      hint: "restore a backup, or let a client fill an empty folder again", exit: .data)
  case .busy(let reason):
    Failure(
      code: "dataBusy", message: reason, hint: "end the programs that use it, then try again",
      exit: .tryAgain)
  case .full(let reason):
    Failure(
      code: "storageFull", message: reason,
      hint: "move accounts to another folder; what is there can still be read", exit: .io)
  case .failed(let reason), .commitFailed(let reason):
    Failure(code: "storageFailed", message: reason, hint: "see to the disk", exit: .io)
  default:
    Failure(
      code: "storageFailed", message: "\(error)", hint: "see to the folder", exit: .io)
  }
}

extension Failure {
  init(_ error: any DomainError, exit: ExitCode) {
    self.init(code: error.code, message: error.message, hint: error.hint, exit: exit)
  }
}
