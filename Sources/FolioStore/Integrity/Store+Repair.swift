internal import FolioDomain
internal import FolioSystem
internal import LMDB

extension Store {
  /// Makes derived data anew from what is sound, and forgets what is not and a server has.
  ///
  /// First a copy of the store is kept beside it. Accepted data is made anew from the entries that are
  /// kept, as far as their chain is sound; where they do not begin with the first it is forgotten, and
  /// the next sync reads the log from its start. Damaged market data is read again likewise. What is
  /// pending is never dropped, but for a record that cannot be read. Each part is one storage
  /// transaction. Where the file's pages or the store's few single facts are damaged nothing is changed,
  /// and the problems are returned: a restore makes a new store then.
  /// - Throws: ``StoreError/storage(_:)`` where the storage fails.
  /// - Complexity: that of ``verify()`` and of making everything anew.
  public func repair() throws -> RepairReport {
    var report = RepairReport()
    let broken = try verify().problems
    if broken.isEmpty { return report }
    var parts = Set(broken.map(RepairPart.init))
    if parts.contains(.facts) {
      report.problems = broken
      return report
    }
    // What is made anew with the accepted data is not read before that.
    if parts.contains(.accepted) { parts.subtract([.historyIndex, .holdings]) }
    report.copy = try keepCopy()
    try repairSmall(parts, &report)
    if parts.contains(.outbox) { try repairOutbox(parts, &report) }
    // What is listed rests on the slots that have closed, and on what waits.
    if parts.contains(.market) || !report.lost.isEmpty { parts.insert(.holdings) }
    if parts.contains(.accepted) {
      try repairAccepted(&report)
    } else if parts.contains(.holdings) {
      try write { try $0.remakeHoldings() }
      report.rebuilt.append("holdings and categories")
    }
    let made = try makeDueSnapshots()
    if made.made + made.remade > 0 { report.rebuilt.append("snapshots") }
    report.problems = try verify().problems
    return report
  }

  private func keepCopy() throws -> String {
    let name = "\(path)/before-\(context.clock.now().text)"
    var copy = name + ".backup"
    var number = 1
    while try Files.kind(of: copy) != nil {
      number += 1
      copy = "\(name)-\(number).backup"
    }
    try backUp(to: copy)
    return copy
  }

  private func repairSmall(_ parts: Set<RepairPart>, _ report: inout RepairReport) throws {
    if parts.contains(.format) {
      try write { try $0.putFormat() }
      report.rebuilt.append("format")
    }
    if parts.contains(.market) {
      try write { try $0.forgetMarket() }
      report.fromServer.append("price tables and assets")
    }
    if parts.contains(.historyIndex) {
      try write { try $0.remakeHistoryIndex() }
      report.rebuilt.append("index of the history")
    }
    if parts.contains(.documentIndexes) {
      let isKept = try write { try $0.dropUnreadableIndexes() }
      if !isKept { report.lost.append("which indexes were declared: apps declare theirs again") }
      // With all documents their places are made anew, too.
      if !parts.contains(.accepted) { try write { try $0.remakePlaces() } }
      report.rebuilt.append("indexes of documents")
    }
    if parts.contains(.successions) {
      try write { try $0.remakeSuccessions() }
      report.rebuilt.append("successions")
    }
    if parts.contains(.ids) {
      try write { try $0.remakeIDs() }
      report.rebuilt.append("ids of transactions")
    }
    if parts.contains(.snapshots) { try write { try $0.dropSnapshots() } }
    for part in [RepairPart.rejected, .edit, .settings, .staged] where parts.contains(part) {
      let lost = try write { try $0.empty(part) }
      if lost > 0 { report.lost.append("\(part.rawValue): \(lost) records") }
    }
  }

  private func repairOutbox(_ parts: Set<RepairPart>, _ report: inout RepairReport) throws {
    let lost = try write { transaction in
      // It is laid over what is held, which is made anew after it.
      if parts.contains(.accepted) { try transaction.clearAccepted() }
      if parts.contains(.holdings) { try transaction.clearHoldings() }
      return try transaction.remakeOutbox()
    }
    report.rebuilt.append("outbox")
    report.lost += lost.map { "transaction \($0), which had not come back in the log" }
  }

  /// Reads the kept entries as another log beside the state, as far as they are sound, and puts what
  /// they come to in its place.
  private func repairAccepted(_ report: inout RepairReport) throws {
    let (read, end) = try write { transaction in
      let status = try transaction.reading.status()
      let end = status.position?.seq ?? 0
      let seq = try transaction.stageKeptEntries()
      if seq == 0 {
        try transaction.abandonRebuild()
        try transaction.forgetLog()
      } else if let log = status.log {
        _ = try transaction.finishRebuild(log: log, stable: status.stable)
      }
      return (seq, end)
    }
    if read > 0 || end == 0 { report.rebuilt.append("holdings, history, documents, devices") }
    if read == 0, end > 0 {
      report.fromServer.append("the log")
    } else if read < end {
      report.fromServer.append("the log after entry \(read)")
    }
  }
}

/// A part of a store that is repaired by itself.
enum RepairPart: String, Hashable {
  case format, market, successions, snapshots, holdings, historyIndex, outbox, ids
  case rejected, edit, settings, staged, documentIndexes
  /// The store's single facts, and the file's own pages: nothing is written on what is not sound there.
  case facts
  /// All that is derived from the log, and the log.
  case accepted

  init(_ problem: IntegrityProblem) {
    switch problem.rule {
    case .formatMissing: self = .format
    case .priceIndexDiffers: self = .market
    case .successionsDiffer: self = .successions
    case .snapshotDiffers, .snapshotNotClosed: self = .snapshots
    case .categoriesDiffer, .holdingDiffers: self = .holdings
    case .historyIndexDiffers: self = .historyIndex
    case .transactionIdDiffers: self = .ids
    case .outboxDiffers: self = .outbox
    case .damagedRecord: self = Self.part(of: problem.space)
    case .damagedPages: self = .facts
    default: self = .accepted
    }
  }

  private static func part(of space: String) -> RepairPart {
    switch space {
    case _ where space.hasPrefix("domain.market/"), _ where space.hasPrefix("gate.market/"):
      .market
    case "domain.portfolio/snapshots": .snapshots
    case "domain.portfolio/assets", "domain.portfolio/categories": .holdings
    case "domain.portfolio/history.assets": .historyIndex
    case _ where space.hasPrefix("gate.sync/outbox"): .outbox
    case "domain.documents.indexes", "domain.documents.indexed", "domain.documents.indexed.keys":
      .documentIndexes
    case "gate.sync/ids": .ids
    case "gate.sync/rejected": .rejected
    case "gate.sync/staged": .staged
    case "app.portfolio/edit": .edit
    case "ui.cli/settings": .settings
    case Spaces.formatName: .format
    case "gate.sync/cursor": .facts
    default: .accepted
    }
  }
}
