import FolioApp
import FolioArguments
import FolioDomain
import FolioGateway

extension SyncSummary {
  /// What a person is told at the end of a sync.
  var text: String {
    var lines = [
      "sent \(pushed), received \(pulled), \(priceTables.counted("price table")), "
        + "\(snapshots.counted("snapshot")) made, \(remade) made anew"
    ]
    lines += divergenceLines
    for asset in changedOnBothSides { lines.append("changed on both sides: \(asset.text)") }
    for one in rejected { lines.append("rejected: \(one.id.text) (\(one.reason))") }
    if unreadableBodies > 0 {
      lines.append(
        "\(unreadableBodies.counted("transaction")) cannot be read by anybody: no effect")
    }
    if let witness, !witness.agrees {
      lines.append(
        "another device had another state at entry \(witness.position.seq): run verify on both")
    }
    if skewMilliseconds.magnitude > 60_000 {
      lines.append("this device's clock is \(skewMilliseconds / 1_000) s off the server's")
    }
    return lines.joined(separator: "\n")
  }

  /// What became of logs that were not the same.
  private var divergenceLines: [String] {
    var lines: [String] = []
    if refilled > 0 {
      lines.append("the server lacked \(refilled.counted("entry", "entries")): given back")
    }
    if rebuilt {
      lines.append("the server's log had parted from this store's: what both held is in it now")
    }
    if compensations > 0 {
      lines.append("what the backup holds is brought back: \(compensations.counted("transaction"))")
    }
    if let newDevice { lines.append("this store was a copy: it is now device \(newDevice.text)") }
    return lines
  }
}

extension RestoreSummary {
  /// What a person is told at the end of a restore.
  ///
  /// - Parameter isCopy: Whether it was one from a backup.
  func text(isCopy: Bool) -> String {
    """
    \(transactions.counted("transaction")), compressed to \(compressedTo.counted("row"))
    \(priceTables.counted("price table")), \(snapshots.counted("snapshot"))
    \(assets.counted("asset")), \(documents.counted("document"))
    digest \(digest?.text ?? "none: no slot has closed")
    \(isCopy ? "the backup is sound; its first sync asks which side counts" : proof)
    """
  }

  private var proof: String { "the chain is verified; \(witness.text)" }
}
