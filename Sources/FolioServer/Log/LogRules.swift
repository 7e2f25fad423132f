package import FolioDomain
package import FolioWire

/// Limits and constants of a log.
package enum LogRules {
  /// A step of the server's clock longer than this is noted: 400 days.
  package static let jumpLimit: Int64 = 400 * 86_400_000
  /// The version of an entry's format.
  package static let entryVersion: UInt8 = 1
}

/// Why an entry is void.
package enum VoidReason: String, Hashable, Sendable {
  /// Its id was known under another device or sequence.
  case duplicate
  /// The device sent it as a placeholder.
  case placeholder
}

/// Why a transaction can't be accepted.
package enum RejectReason: String, Hashable, Sendable, CaseIterable {
  /// Its body is longer than ``Wire/bodyByteLimit``, or sealed ``Wire/sealedBodyByteLimit``.
  case bodyTooLong = "body_too_long"
  /// Its entry version is not one this server keeps.
  case entryVersion = "entry_version"
  /// A plain body names a key.
  case keyOfPlainBody = "key_of_plain_body"
  /// Device sequences begin at 1.
  case sequenceZero = "sequence_zero"
}

/// What a push or a refill came to.
package struct LogReceipt: Hashable, Sendable {
  /// For each transaction pushed, in order; empty after a refill.
  package var results: [PushResult]
  /// What is acked of the connection's device.
  package var acked: AckedTransaction?
  /// The end of the log.
  package var head: LogPosition
  /// A step of the clock that this commit noted.
  package var jump: ClockJump?
}

/// Why a request about a log is refused as a whole.
@nonexhaustive
package enum LogError: Error, Hashable, Sendable {
  /// There is no account of that name, or it is disabled: both get the same answer.
  case unknownAccount
  /// The account has another id, and its log is not empty.
  case accountMismatch
  /// The id is that of another account of this server.
  case accountTaken
  /// The position is not the head of the log.
  case notHead
  /// The log does not have that hash there.
  case unknownPosition
  /// An entry does not follow the one before it, and why.
  case doesNotFollow(index: Int, FollowFault)
  /// An entry breaks a limit.
  case entryRejected(index: Int, RejectReason)

  /// The name of the case, which is the one that a client is told.
  package var code: ErrorCode {
    switch self {
    case .unknownAccount: .accountUnknown
    case .accountMismatch, .accountTaken: .accountMismatch
    case .notHead: .headMoved
    case .unknownPosition: .positionUnknown
    case .doesNotFollow: .doesNotFollow
    case .entryRejected: .entryRejected
    }
  }
}

/// Why an entry of a refill does not follow.
package enum FollowFault: String, Hashable, Sendable {
  /// Its seq is not the next.
  case seq
  /// Its acceptedAt is earlier than that of the entry before.
  case acceptedAt = "accepted_at"
  /// Its device sequence is not its device's next.
  case sequence
  /// Its id is already that of an accepted entry.
  case id
  /// It is a stub, or its body has another hash.
  case body
}

extension Envelope {
  /// The limit that the transaction breaks, if any.
  var fault: RejectReason? {
    if version != LogRules.entryVersion { return .entryVersion }
    if deviceSequence == 0 { return .sequenceZero }
    let limit = form == .plain ? Wire.bodyByteLimit : Wire.sealedBodyByteLimit
    if body.count > limit { return .bodyTooLong }
    if form == .plain, keyID != 0 { return .keyOfPlainBody }
    return nil
  }
}
