import FolioApp
import FolioArguments
import FolioDomain
import FolioGateway
import FolioStore
import FolioSystem
import FolioTransport
import LMDB

extension Failure {
  /// What a person and a program are told of an error, and how the program ends.
  init(_ error: any Error) {
    guard let known = error as? any DomainError else {
      self.init(
        code: "internal", message: "\(error)", hint: "this is a fault of the program; report it",
        exit: .internal)
      return
    }
    self.init(
      code: known.code, message: known.message, hint: known.hint, exit: ExitCode(known))
  }
}

extension ExitCode {
  /// How a program ends for an error: bad data, where nothing else is said.
  init(_ error: any DomainError) {
    switch error {
    case let error as StoreError: self.init(store: error)
    case let error as SyncError: self.init(sync: error.kind)
    case let error as AppError: self.init(flow: error)
    case ReportError.noSnapshots: self = .noInput
    case is ServerURLError: self = .usage
    case is TransportError: self = .unavailable
    case let error as FileError: self.init(file: error)
    default: self = .data
    }
  }

  private init(store error: StoreError) {
    self =
      switch error {
      case .folderNotEmpty: .cannotCreate
      case .notAStore, .noSnapshots, .snapshotBeforeFirst, .snapshotNotClosed, .documentMissing:
        .noInput
      case .snapshotOutOfDate, .restoreUnfinished, .outboxFull: .tryAgain
      case .storage(let error): ExitCode(storage: error)
      case .entryOutOfOrder, .deviceSequenceOutOfOrder, .bodyMissing, .otherMarket,
        .assetTwiceInTable:
        .protocol
      default: .data
      }
  }

  private init(storage error: StorageError) {
    self =
      switch error {
      case .locked, .alreadyOpen, .readersFull: .tryAgain
      case .missing: .noInput
      case .exists: .cannotCreate
      case .system, .engine, .commitFailed, .reopenNeeded, .mapFull, .quotaExceeded: .io
      case .nestedWrite, .transactionFailed, .readOnly, .closed, .invalidOption: .internal
      default: .data
      }
  }

  private init(flow error: AppError) {
    self =
      switch error {
      case .notJoined, .serverIncomplete: .usage
      case .syncUnderWay: .tryAgain
      case .flowUnderWay: .tryAgain
      case .noFlow: .noInput
      case .buildingFolderTaken: .cannotCreate
      default: .data
      }
  }

  private init(file error: FileError) {
    guard case .failed(let operation, _, let errno) = error else {
      self = .data
      return
    }
    switch errno {
    case .exists: self = .cannotCreate
    case .notFound, .notAFolder: self = operation == "create" ? .cannotCreate : .noInput
    default: self = .io
    }
  }

  private init(sync kind: SyncErrorKind) {
    self =
      switch kind {
      case .unreachable: .unavailable
      case .protocolBroken: .protocol
      case .notAllowed: .notAllowed
      case .tryAgain: .tryAgain
      }
  }
}
