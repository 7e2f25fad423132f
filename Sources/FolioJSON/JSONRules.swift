/// How strict a reader is beyond the grammar of RFC 8259.
///
/// Invalid UTF-8, lone surrogates and a byte order mark are refused under all rules.
public struct JSONRules: Hashable, Sendable {
  /// Which numbers are taken.
  @nonexhaustive
  public enum Numbers: Hashable, Sendable {
    /// Integers in plain digits, within 2^53 - 1.
    case integers
    /// What a document may hold, in its one form: an integer within 2^53 - 1, or a fraction of a
    /// magnitude between 10^-6 and 10^15, written with its shortest digits and no exponent.
    case portable
    /// Any number of the grammar.
    case any
  }

  /// Which numbers are taken where a value is skipped.
  public var numbers: Numbers
  /// How many brackets may be open at once.
  public var depthMax: Int
  /// Whether an object may not have two members of one name, compared as bytes after unescaping.
  public var refusesDuplicates: Bool

  /// Rules of those members.
  public init(numbers: Numbers, depthMax: Int, refusesDuplicates: Bool) {
    self.numbers = numbers
    self.depthMax = depthMax
    self.refusesDuplicates = refusesDuplicates
  }

  /// A line of the sync protocol: integers only, 32 levels, no duplicates.
  public static let `protocol` = JSONRules(
    numbers: .integers, depthMax: 32, refusesDuplicates: true)
  /// A document in its stored form: portable numbers, 32 levels, no duplicates.
  public static let document = JSONRules(numbers: .portable, depthMax: 32, refusesDuplicates: true)
  /// The grammar of RFC 8259 with 512 levels, and nothing beyond it.
  public static let rfc8259 = JSONRules(numbers: .any, depthMax: 512, refusesDuplicates: false)
}

/// The kinds of JSON values.
public enum JSONKind: Hashable, Sendable {
  /// `{...}`
  case object
  /// `[...]`
  case array
  /// `"..."`
  case string
  /// `-1.5`
  case number
  /// `true` or `false`
  case bool
  /// `null`
  case null
}

/// The content of a string in the input: the bytes between its quotes.
public struct JSONText: Hashable, Sendable {
  /// The offset of the first byte after the opening quote.
  public let start: Int
  /// The offset of the closing quote.
  public let end: Int
  /// Whether there are escapes among the bytes.
  public let isEscaped: Bool

  @usableFromInline init(start: Int, end: Int, isEscaped: Bool) {
    self.start = start
    self.end = end
    self.isEscaped = isEscaped
  }

  /// The offset of the opening quote, where faults of the string are reported.
  public var offset: Int { start - 1 }
}
