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

  /// The stable name of the error.
  public var code: String {
    switch self {
    case .notJoined: "notJoined"
    case .serverIncomplete: "serverIncomplete"
    case .syncUnderWay: "syncUnderWay"
    case .buildingFolderTaken: "buildingFolderTaken"
    }
  }

  /// What is wrong, and where.
  public var message: String {
    switch self {
    case .notJoined: "this store belongs to no server"
    case .serverIncomplete: "a server and an account go together"
    case .syncUnderWay(let path): "another process syncs the store \(path)"
    case .buildingFolderTaken(let path): "the store is built in \(path), which holds something else"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .notJoined, .serverIncomplete: "name both: --server URL --account NAME"
    case .syncUnderWay: "wait until it is done, or end it"
    case .buildingFolderTaken: "move it away, or restore into another folder"
    }
  }
}
