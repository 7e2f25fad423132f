import FolioDomain
public import FolioGateway
public import FolioStore

extension StoreStatus {
  /// The questions that wait for a person: that of the last sync, and which side counts where the
  /// store was restored from a backup.
  public var decisions: [SyncDecision] {
    var decisions = waitingDecision.map { [SyncDecision($0)] } ?? []
    if isRestoredBackup { decisions.append(.restoredBackup(local: position?.seq ?? 0)) }
    return decisions
  }
}

extension SyncDecision {
  fileprivate init(_ waiting: WaitingDecision) {
    self =
      switch waiting {
      case .serverLacks(let range): .serverLacks(range)
      case .shorterLog(let server, let local): .shorterLog(server: server, local: local)
      case .otherAccount(let server, let local): .otherAccount(server: server, local: local)
      }
  }
}

extension WaitingDecision {
  /// What a store remembers of a question; nil where its mark says so already.
  init?(_ decision: SyncDecision) {
    switch decision {
    case .serverLacks(let range): self = .serverLacks(range)
    case .shorterLog(let server, let local): self = .shorterLog(server: server, local: local)
    case .otherAccount(let server, let local): self = .otherAccount(server: server, local: local)
    case .restoredBackup: return nil
    @unknown default: return nil
    }
  }
}
