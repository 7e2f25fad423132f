import FolioJSON

extension Message {
  /// The message that a line is, its end left out.
  ///
  /// One pass from bytes to typed values: no tree, no recursion on the input. A fault of the grammar
  /// comes before any other; among faults of one kind, the first. An unknown member is dropped, a
  /// message of an unknown type is returned as such.
  ///
  /// - Throws: `WireError`, with the request's number where only that request is at fault.
  /// - Complexity: O(n) in the number of bytes; the memory is a small multiple of them.
  public init(line: [UInt8]) throws(WireError) {
    do throws(JSONError) {
      self = try Message(checking: line)
    } catch {
      throw WireError(describing: error, in: line)
    }
  }

  private init(checking line: [UInt8]) throws(JSONError) {
    let span = line.span
    if let type = MessageHeader.typeAtEnd(span.bytes) {
      self = try Message(type, span.bytes)
      return
    }
    let header = try MessageHeader(span.bytes)
    let name = try header.readType(span.bytes)
    if let type = MessageType(rawValue: name) {
      self = try Message(type, span.bytes)
    } else {
      let id = try header.readNumber(header.id, span.bytes)
      let re = try header.readNumber(header.re, span.bytes)
      self = .unknown(UnknownMessage(type: name, id: id, re: re))
    }
  }

  private init(_ type: MessageType, _ bytes: RawSpan) throws(JSONError) {
    var reader = JSONReader(bytes, .protocol)
    var number: RequestID?
    if let request = try Self.readRequest(type, &reader, &number) {
      self = .request(try reader.required(number), request)
    } else if let reply = try Self.readReply(type, &reader, &number) {
      self = .reply(try reader.required(number), reply)
    } else {
      self = try Self.readOther(type, &reader)
    }
    try reader.finish()
  }

  private static func readRequest(
    _ type: MessageType, _ reader: inout JSONReader, _ id: inout RequestID?
  ) throws(JSONError) -> Request? {
    switch type {
    case .hello: return .hello(try Hello(&reader, &id))
    case .auth: return .auth(try Authentication(&reader, &id))
    case .push: return .push(try Push(&reader, &id))
    case .refill: return .refill(try Refill(&reader, &id))
    case .pull: return .pull(try Pull(&reader, &id))
    case .prices: return .prices(try PricesRequest(&reader, &id))
    case .assets: return .assets(try AssetsRequest(&reader, &id))
    case .leaderboard: return .leaderboard(try LeaderboardRequest(&reader, &id))
    case .subscribe: return .subscribe(try Subscription(&reader, &id))
    case .verify: return .verify(seq: try VerifyRequest.read(&reader, &id))
    case .ping:
      id = try BareMessage.read(&reader).id
      return .ping
    default: return nil
    }
  }

  private static func readReply(
    _ type: MessageType, _ reader: inout JSONReader, _ re: inout RequestID?
  ) throws(JSONError) -> Reply? {
    switch type {
    case .welcome: return .welcome(try Welcome(&reader, &re))
    case .ready: return .ready(try Ready(&reader, &re))
    case .ack: return .ack(try Ack(&reader, &re))
    case .page: return .page(try Page(&reader, &re))
    case .tables: return .tables(try TablesPage(&reader, &re))
    case .catalog: return .catalog(try Catalog(&reader, &re))
    case .ranking: return .ranking(try Ranking(&reader, &re))
    case .heads: return .heads(try Heads(&reader, &re))
    case .hash: return .hash(try HashReply.read(&reader, &re))
    case .pong:
      re = try BareMessage.read(&reader).re
      return .pong
    default: return nil
    }
  }

  private static func readOther(
    _ type: MessageType, _ reader: inout JSONReader
  ) throws(JSONError) -> Message {
    switch type {
    case .error:
      var re: RequestID?
      let message = try ErrorMessage(&reader, &re)
      return .error(re, message)
    case .note: return .note(try Note(&reader))
    default:
      _ = try BareMessage.read(&reader)
      return .bye
    }
  }
}

extension WireError {
  /// The fault of `line` in which reading it ended with `error`.
  ///
  /// A line that is no JSON is told as such even where a value before that was not the right one, so
  /// that what is said of a line does not depend on who reads it.
  init(describing error: JSONError, in line: [UInt8]) {
    guard !error.code.isGrammar else {
      self.init(.json(error.code), at: error.offset)
      return
    }
    let span = line.span
    do throws(JSONError) {
      let header = try MessageHeader(span.bytes)
      self.init(
        .json(error.code), at: error.offset,
        request: try? header.readNumber(header.id, span.bytes))
    } catch {
      self.init(.json(error.code), at: error.offset)
    }
  }
}
