public import FolioDomain

/// Why a flow of a client did not begin, beside what its parts throw.
@nonexhaustive
public enum AppError: DomainError, Hashable {
  /// The store belongs to no server, and none was named.
  case notJoined
  /// A server was named without an account, or an account without a server.
  case serverIncomplete
  /// Another process syncs the store.
  case syncUnderWay(path: String)
  /// The folder in which a restored store is built holds something else.
  case buildingFolderTaken(path: String)
  /// A flow is under way on the store; there is one at a time.
  case flowUnderWay(FlowKind, since: Timestamp)
  /// No such flow is under way.
  case noFlow(FlowKind)
  /// What is kept of a flow cannot be read: another version wrote it, or it is damaged.
  case flowUnreadable
  /// A flow asks for something else than what was answered.
  case stepOutOfOrder(asked: TransferStep, answered: TransferStep)
  /// An edit holds as many edits as it can.
  case tooManyEdits(max: Int)

  /// The stable name of the error.
  public var code: String {
    switch self {
    case .notJoined: "notJoined"
    case .serverIncomplete: "serverIncomplete"
    case .syncUnderWay: "syncUnderWay"
    case .buildingFolderTaken: "buildingFolderTaken"
    case .flowUnderWay: "flowUnderWay"
    case .noFlow: "noFlow"
    case .flowUnreadable: "flowUnreadable"
    case .stepOutOfOrder: "stepOutOfOrder"
    case .tooManyEdits: "tooManyEdits"
    }
  }

  /// What is wrong, and where.
  public var message: String {
    switch self {
    case .notJoined: "this store belongs to no server"
    case .serverIncomplete: "a server and an account go together"
    case .syncUnderWay(let path): "another process syncs the store \(path)"
    case .buildingFolderTaken(let path): "the store is built in \(path), which holds something else"
    case .flowUnderWay(let kind, let since): "\(kind.text) is under way since \(since.text)"
    case .noFlow(let kind): "no \(kind.rawValue) is under way"
    case .flowUnreadable: "what is kept of a flow cannot be read by this version"
    case .stepOutOfOrder(let asked, let answered):
      "the transfer is at the step '\(asked)'; '\(answered)' was answered"
    case .tooManyEdits(let max): "\(max) edits are staged, which is the most there can be"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .notJoined, .serverIncomplete: "name both: --server URL --account NAME"
    case .syncUnderWay: "wait until it is done, or end it"
    case .buildingFolderTaken: "move it away, or restore into another folder"
    case .flowUnderWay(.edit, _):
      "save it or discard it first: `folio edit show` says what is in it"
    case .flowUnderWay(.transfer, _): "end it or discard it first: `folio edit discard` does"
    case .noFlow(.edit): "begin one with `folio edit begin`"
    case .noFlow(.transfer): "begin one"
    case .flowUnreadable: "discard it with `folio edit discard`; nothing that was saved is lost"
    case .stepOutOfOrder: "answer what is asked, or go back"
    case .tooManyEdits: "save these, then begin another edit"
    }
  }
}
