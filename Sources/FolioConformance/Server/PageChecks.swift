import FolioCrypto
import FolioDomain
import FolioWire

/// Checks a page's entries and hashes; gives the place after it.
func check(_ page: Page, after position: LogPosition) throws -> LogPosition {
  var position = position
  for entry in page.entries {
    try expect(entry.seq, is: position.seq + 1, "the seq of an entry")
    position = position.after(entry.logEntry(using: SHA256.self))
  }
  try expect(page.last, is: position, "`last` of the page, against the chain computed from it")
  return position
}

extension PushResult {
  /// The name on the wire.
  var status: String {
    switch self {
    case .ok: "ok"
    case .duplicate: "duplicate"
    case .void: "void"
    case .gap: "gap"
    case .forked: "forked"
    case .retry: "retry"
    case .rejected: "rejected"
    }
  }

  var place: EntryPlace? {
    switch self {
    case .ok(let place), .duplicate(let place), .void(let place, _): place
    case .gap, .forked, .retry, .rejected: nil
    }
  }
}

extension TablesPage {
  /// How many prices its tables have together, each made whole.
  var priceCount: Int {
    var count = 0
    var assets: Set<AssetKey> = []
    for table in tables {
      if !table.isDelta { assets = [] }
      for group in table.groups {
        for row in group.rows {
          let asset = AssetKey(type: group.type, id: row.id)
          if row.price == nil { assets.remove(asset) } else { assets.insert(asset) }
        }
      }
      count += assets.count
    }
    return count
  }
}
