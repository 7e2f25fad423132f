/// Which way a scan goes.
public enum ScanOrder: Sendable, Hashable {
  /// From the smallest key up.
  case ascending
  /// From the largest key down.
  case descending
}

/// What a scan does after a record.
public enum ScanStep: Sendable, Hashable {
  /// Go on.
  case next
  /// End the scan.
  case stop
}

/// A half-open range of keys in byte order: the lower bound belongs to it, the upper does not.
public struct KeyRange: Sendable, Hashable {
  enum End: Sendable, Hashable {
    case none
    case before([UInt8])
    case prefix([UInt8])
  }

  var lower: [UInt8]
  var end: End

  init(lower: [UInt8], end: End) {
    self.lower = lower
    self.end = end
  }

  /// The least key behind all that begin with a prefix: the prefix up to its last byte that is not
  /// 255, that one raised by one; nil where there is no such byte, and nothing behind it.
  static func behind(prefix bytes: [UInt8]) -> [UInt8]? {
    guard let last = bytes.lastIndex(where: { $0 != 0xFF }) else { return nil }
    var behind = Array(bytes[...last])
    behind[last] += 1
    return behind
  }

  /// Every key.
  public static let all = KeyRange(lower: [], end: .none)

  /// The keys that begin with `bytes`, `bytes` itself among them.
  public static func prefix(_ bytes: [UInt8]) -> KeyRange {
    KeyRange(lower: bytes, end: bytes.isEmpty ? .none : .prefix(bytes))
  }

  /// The keys from `bytes` on.
  public static func from(_ bytes: [UInt8]) -> KeyRange {
    KeyRange(lower: bytes, end: .none)
  }

  /// The keys before `bytes`.
  public static func upTo(_ bytes: [UInt8]) -> KeyRange {
    KeyRange(lower: [], end: .before(bytes))
  }

  /// The keys from `lower` on and before `upper`; none where `upper` is not above `lower`.
  public static func from(_ lower: [UInt8], upTo upper: [UInt8]) -> KeyRange {
    KeyRange(lower: lower, end: .before(upper))
  }

  /// The part of this range that an ascending scan has before it after `key`, a key of the range.
  public func resuming(after key: [UInt8]) -> KeyRange {
    KeyRange(lower: key + [0], end: end)
  }

  /// The part of this range that a descending scan has before it after `key`, a key of the range.
  public func resuming(before key: [UInt8]) -> KeyRange {
    KeyRange(lower: lower, end: .before(key))
  }
}
