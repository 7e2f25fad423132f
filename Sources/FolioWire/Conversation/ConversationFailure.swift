/// Why a client's conversation is over.
@nonexhaustive
public enum ConversationFailure: Error, Hashable, Sendable {
  /// The server sent a line that cannot be taken.
  case malformed(WireError)
  /// The server refused the connection, or the handshake.
  case refused(ErrorMessage)
  /// The server said that nothing more will come, with requests unanswered.
  case goodbye
  /// The server chose a version that was not offered.
  case versionNotOffered(Int)
  /// A reply to no request that is in flight.
  case unexpectedReply
  /// A reply of another type than the one that belongs to the request.
  case wrongReply(to: MessageType)
  /// A message that only clients send, or one that may not come yet.
  case unexpectedMessage
  /// A page that does not follow the place asked for.
  case brokenPage
  /// An entry that does not follow the one before it: the number expected, and the one that came.
  case gapInLog(expected: UInt64, got: UInt64)
  /// A body was left out that the client does not have.
  case bodyLeftOut(seq: UInt64)
  /// A page that says there is more and brings nothing.
  case noProgress
  /// Nothing was heard of the server for too long.
  case silence
}

extension ConversationFailure {
  /// The stable name of the failure.
  public var code: String {
    switch self {
    case .malformed(let error): error.code.text
    case .refused(let error): error.code
    case .goodbye: "goodbye"
    case .versionNotOffered: "version_not_offered"
    case .unexpectedReply: "unexpected_reply"
    case .wrongReply: "wrong_reply"
    case .unexpectedMessage: "unexpected_message"
    case .brokenPage: "broken_page"
    case .gapInLog: "gap_in_log"
    case .bodyLeftOut: "body_left_out"
    case .noProgress: "no_progress"
    case .silence: "silence"
    }
  }

  /// What to do about it, by what kind of failure it is.
  public var response: ErrorResponse {
    switch self {
    case .refused(let error): error.response
    case .goodbye, .silence: .backOff
    case .malformed, .versionNotOffered, .unexpectedReply, .wrongReply, .unexpectedMessage,
      .brokenPage, .gapInLog, .bodyLeftOut, .noProgress:
      .stop
    }
  }
}

extension ConversationFailure: CustomStringConvertible {
  /// What happened, in words, without anything of the lines.
  public var description: String {
    switch self {
    case .malformed(let error): "the server sent a line that cannot be read: \(error)"
    case .refused(let error): "the server refused (\(error.code)): \(error.message)"
    case .goodbye: "the server ended the conversation"
    case .versionNotOffered(let version): "the server chose version \(version) unasked"
    case .unexpectedReply: "the server answered what was not asked"
    case .wrongReply(let type): "the server answered \(type.rawValue) with something else"
    case .unexpectedMessage: "the server sent a message out of place"
    case .brokenPage: "the server sent a page that does not follow the place asked for"
    case .gapInLog(let expected, let got):
      "the server sent entry \(got) where \(expected) was to come"
    case .bodyLeftOut(let seq): "the server left out the body of entry \(seq), unasked"
    case .noProgress: "the server says that there is more and sends nothing"
    case .silence: "the server has been silent for too long"
    }
  }
}
