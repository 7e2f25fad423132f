/// The number by which a reply names its request; from 1, increasing within a connection.
public struct RequestID: Hashable, Comparable, Sendable {
  /// The number, from 1 to 2^53 - 1.
  public var value: UInt64
  /// The id of that number.
  public init(_ value: UInt64) { self.value = value }

  /// By number.
  public static func < (a: RequestID, b: RequestID) -> Bool { a.value < b.value }
}

/// A line of the conversation.
public enum Message: Hashable, Sendable {
  /// Something asked, to be answered by one reply or error of the same number.
  case request(RequestID, Request)
  /// The answer to a request.
  case reply(RequestID, Reply)
  /// A refusal: of that request, or, without one, of the connection.
  case error(RequestID?, ErrorMessage)
  /// Word that something has changed, to a peer that subscribed.
  case note(Note)
  /// The peer will send nothing more.
  case bye
  /// A message of a type that this build does not know.
  case unknown(UnknownMessage)
}

/// What can be asked.
///
/// All but `ping` is asked by clients alone.
public enum Request: Hashable, Sendable {
  /// Opens a connection; the first line of a client.
  case hello(Hello)
  /// Names account and device; the second line of a client.
  case auth(Authentication)
  /// Adds transactions to the log.
  case push(Push)
  /// Gives a server entries that it lost.
  case refill(Refill)
  /// Asks for entries.
  case pull(Pull)
  /// Asks for price tables.
  case prices(PricesRequest)
  /// Asks for the asset table.
  case assets(AssetsRequest)
  /// Asks for assets by rank.
  case leaderboard(LeaderboardRequest)
  /// Asks to be told of changes.
  case subscribe(Subscription)
  /// Asks for the hash of the chain after an entry.
  case verify(seq: UInt64)
  /// Asks for a sign of life; either side may.
  case ping
}

/// What a request is answered with.
public enum Reply: Hashable, Sendable {
  /// To `hello`.
  case welcome(Welcome)
  /// To `auth`.
  case ready(Ready)
  /// To `push` and `refill`.
  case ack(Ack)
  /// To `pull`.
  case page(Page)
  /// To `prices`.
  case tables(TablesPage)
  /// To `assets`.
  case catalog(Catalog)
  /// To `leaderboard`.
  case ranking(Ranking)
  /// To `subscribe`.
  case heads(Heads)
  /// To `verify`.
  case hash(ChainHash)
  /// To `ping`.
  case pong
}

/// A message of an unknown type: what can be said of it all the same.
public struct UnknownMessage: Hashable, Sendable {
  /// Its type.
  public var type: String
  /// Its number, where it is a request.
  public var id: RequestID?
  /// The request that it answers, where it is a reply.
  public var re: RequestID?
  /// A message of that type.
  public init(type: String, id: RequestID? = nil, re: RequestID? = nil) {
    self.type = type
    self.id = id
    self.re = re
  }
}

/// The types of messages, by the names they have on the wire.
public enum MessageType: String, Hashable, Sendable, CaseIterable {
  /// Requests of clients, in the order of a first sync.
  case hello, auth, push, refill, pull, prices, assets, leaderboard, subscribe, verify
  /// Their replies, in that order.
  case welcome, ready, ack, page, tables, catalog, ranking, heads, hash
  /// What either side may send.
  case ping, pong, error, bye
  /// What a server sends unasked.
  case note
}

extension Request {
  /// The type's name on the wire.
  public var type: MessageType {
    switch self {
    case .hello: .hello
    case .auth: .auth
    case .push: .push
    case .refill: .refill
    case .pull: .pull
    case .prices: .prices
    case .assets: .assets
    case .leaderboard: .leaderboard
    case .subscribe: .subscribe
    case .verify: .verify
    case .ping: .ping
    }
  }

  /// The type of the reply that belongs to the request.
  public var replyType: MessageType { Self.replyType(to: type) }

  /// The type of the reply that belongs to requests of `type`.
  static func replyType(to type: MessageType) -> MessageType {
    switch type {
    case .hello: .welcome
    case .auth: .ready
    case .push, .refill: .ack
    case .pull: .page
    case .prices: .tables
    case .assets: .catalog
    case .leaderboard: .ranking
    case .subscribe: .heads
    case .verify: .hash
    default: .pong
    }
  }
}

extension Reply {
  /// The type's name on the wire.
  public var type: MessageType {
    switch self {
    case .welcome: .welcome
    case .ready: .ready
    case .ack: .ack
    case .page: .page
    case .tables: .tables
    case .catalog: .catalog
    case .ranking: .ranking
    case .heads: .heads
    case .hash: .hash
    case .pong: .pong
    }
  }
}
