/// A stored space of the server: a sorted map from key bytes to row bytes.
///
/// Every space is one database of the environment, under a name of the form
/// `layer.context/entity`.
package enum Space: Int, CaseIterable, Sendable {
  /// The format, the server's identity, and the rows of which there is one.
  case meta
  /// Accounts by name.
  case accounts
  /// Entries by account and seq.
  case entries
  /// Account and transaction id to the seq of the entry that first bore it.
  case ids
  /// Account, device and device sequence to seq.
  case sequences
  /// Account and device to the last that was taken from it.
  case devices
  /// Account and year to the range of seq accepted in it.
  case years
  /// Numbers that stand for assets in price tables.
  case assetNumbers
  /// Price tables by slot.
  case tables
  /// Revision to slot, for tables that have begun.
  case revisions
  /// Slots of tables that have not begun and have no revision.
  case heldBack
  /// The asset table, by type and id.
  case assets
  /// The asset table, by rank.
  case leaderboard

  /// The name of the database that holds it.
  package var name: String {
    switch self {
    case .meta: "meta/format"
    case .accounts: "server.log/accounts"
    case .entries: "server.log/entries"
    case .ids: "server.log/ids"
    case .sequences: "server.log/sequences"
    case .devices: "server.log/devices"
    case .years: "server.log/years"
    case .assetNumbers: "server.market/numbers"
    case .tables: "domain.market/prices"
    case .revisions: "server.market/revisions"
    case .heldBack: "server.market/held"
    case .assets: "domain.market/assets"
    case .leaderboard: "domain.market/leaderboard"
    }
  }
}

/// A half-open range of keys in byte order.
package struct RowRange: Sendable {
  /// The first key that is in the range, where it is stored.
  package var from: [UInt8]
  /// The first key after the range; nil where it goes to the end.
  package var upTo: [UInt8]?

  /// The keys from `from` up to, and without, `upTo`.
  package init(from: [UInt8] = [], upTo: [UInt8]? = nil) {
    self.from = from
    self.upTo = upTo
  }

  /// The keys that begin with `prefix`.
  package init(prefix: [UInt8]) {
    from = prefix
    var end = prefix
    while let last = end.last {
      if last < 0xFF {
        end[end.count - 1] = last + 1
        upTo = end
        return
      }
      end.removeLast()
    }
    upTo = nil
  }

  /// Every key.
  package static let all = RowRange()
}

/// Whether a scan goes on.
package enum RowStep: Sendable {
  /// It does.
  case next
  /// It ends here, with success.
  case stop
}

/// Which end a scan begins at.
package enum RowOrder: Sendable {
  /// From the first key.
  case ascending
  /// From the last.
  case descending
}
