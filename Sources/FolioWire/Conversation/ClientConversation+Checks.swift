import FolioDomain

extension ClientConversation {
  /// What is wrong with a reply, by itself and by what was asked for.
  static func check(_ reply: Reply, to request: Request) -> ConversationFailure? {
    switch (request, reply) {
    case (.pull(let pull), .page(let page)): check(page, after: pull)
    case (.push(let push), .ack(let ack)):
      ack.results.count == push.transactions.count ? nil : .wrongReply(to: .push)
    case (.refill, .ack(let ack)): ack.results.isEmpty ? nil : .wrongReply(to: .refill)
    case (.prices(let prices), .tables(let page)): check(page, after: prices)
    case (.assets(let assets), .catalog(let page)): check(page, after: assets)
    case (.leaderboard, .ranking(let ranking)):
      ranking.more && ranking.rows.isEmpty ? .noProgress : nil
    case (.verify(let seq), .hash(let hash)):
      hash.seq == seq ? nil : .wrongReply(to: .verify)
    default: nil
    }
  }

  private static func check(_ page: Page, after pull: Pull) -> ConversationFailure? {
    // Asking for fewer must give fewer, or asking anew might never end.
    guard page.entries.count <= pull.maxEntries else { return .brokenPage }
    var seq = pull.after.seq
    for entry in page.entries {
      guard entry.seq == seq + 1 else {
        return .gapInLog(expected: seq + 1, got: entry.seq)
      }
      seq = entry.seq
      guard entry.stubHash == nil || isOwn(entry, pull.own) else {
        return .bodyLeftOut(seq: seq)
      }
    }
    guard page.last.seq == seq else { return .brokenPage }
    if page.entries.isEmpty {
      guard page.last == pull.after else { return .brokenPage }
      if page.more { return .noProgress }
    }
    return nil
  }

  /// Whether the client said that it has the body of `entry`.
  private static func isOwn(_ entry: WireEntry, _ own: OwnEntries?) -> Bool {
    guard let own else { return false }
    return entry.transaction.device == own.device && entry.transaction.deviceSequence <= own.upTo
  }

  private static func check(
    _ page: TablesPage, after request: PricesRequest
  ) -> ConversationFailure? {
    var revision: UInt64 = 0
    if let after = request.after, !page.beginsAnew(after: after) { revision = after.revision }
    let start = revision
    for table in page.tables {
      guard table.revision > revision else { return .brokenPage }
      revision = table.revision
    }
    guard page.last >= revision, page.last <= page.market.position.revision else {
      return .brokenPage
    }
    return page.more && page.last == start ? .noProgress : nil
  }

  private static func check(_ page: Catalog, after request: AssetsRequest) -> ConversationFailure? {
    if page.isSame {
      let isHeld = request.after == nil && request.tag == page.tag
      return isHeld && page.assets.isEmpty && !page.more ? nil : .brokenPage
    }
    var last = request.after
    for asset in page.assets {
      if let last, !(last < asset.asset) { return .brokenPage }
      last = asset.asset
    }
    return page.more && page.assets.isEmpty ? .noProgress : nil
  }
}
