import FolioDomain
import FolioJSON

extension Message {
  /// The message as the line that is sent: canonical JSON and the end of the line.
  ///
  /// - Precondition: A plain body is canonical JSON; it is written byte for byte.
  /// - Complexity: O(n) in the number of bytes.
  public var line: [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    write(&writer)
    return writer.finish()
  }

  /// Room for all of a line of transactions, so that it is not copied from one place to the next while
  /// it grows.
  private var capacity: Int {
    let entries: [WireEntry]
    switch self {
    case .reply(_, .page(let page)): entries = page.entries
    case .request(_, .refill(let refill)): entries = refill.entries
    case .request(_, .push(let push)):
      return push.transactions.reduce(512) { $0 + 400 + $1.transaction.body.count }
    default: return 512
    }
    return entries.reduce(512) { $0 + $1.encodedByteCountMax }
  }

  /// Appends the line to what has been written.
  private func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .request(let id, let request): request.write(&writer, id)
    case .reply(let re, let reply): reply.write(&writer, re)
    case .error(let re, let message): message.write(&writer, re)
    case .note(let note): note.write(&writer)
    case .bye: writer.type(.bye)
    case .unknown(let message):
      if let id = message.id { writer.member("id", id) }
      if let re = message.re { writer.member("re", re) }
      writer.member("type", message.type)
    }
    writer.endObject()
    writer.append(0x0A)
  }
}

extension Request {
  fileprivate func write(_ writer: inout JSONWriter, _ id: RequestID) {
    switch self {
    case .hello(let hello): hello.write(&writer, id)
    case .auth(let auth): auth.write(&writer, id)
    case .push(let push): push.write(&writer, id)
    case .refill(let refill): refill.write(&writer, id)
    case .pull(let pull): pull.write(&writer, id)
    case .prices(let prices): prices.write(&writer, id)
    case .assets(let assets): assets.write(&writer, id)
    case .leaderboard(let leaderboard): leaderboard.write(&writer, id)
    case .subscribe(let subscription): subscription.write(&writer, id)
    case .verify(let seq):
      writer.member("id", id)
      writer.member("seq", seq)
      writer.type(.verify)
    case .ping:
      writer.member("id", id)
      writer.type(.ping)
    }
  }
}

extension Reply {
  fileprivate func write(_ writer: inout JSONWriter, _ re: RequestID) {
    switch self {
    case .welcome(let welcome): welcome.write(&writer, re)
    case .ready(let ready): ready.write(&writer, re)
    case .ack(let ack): ack.write(&writer, re)
    case .page(let page): page.write(&writer, re)
    case .tables(let tables): tables.write(&writer, re)
    case .catalog(let catalog): catalog.write(&writer, re)
    case .ranking(let ranking): ranking.write(&writer, re)
    case .heads(let heads): heads.write(&writer, re)
    case .hash(let hash): HashReply.write(hash, &writer, re)
    case .pong:
      writer.member("re", re)
      writer.type(.pong)
    }
  }
}
