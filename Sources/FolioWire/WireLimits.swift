/// The protocol's constants and bounds.
public enum Wire {
  /// The versions that this build speaks, the best first.
  public static let versions = [1]
  /// The most bytes of a line, without its end.
  public static let lineByteLimit = 1_048_576
  /// The most bytes of a line before the handshake is done.
  public static let handshakeLineByteLimit = 4_096
  /// The most bytes of a transaction's plain body.
  public static let bodyByteLimit = 196_608
  /// The most bytes of a sealed body: as base64, with what an entry has around it, it fits into
  /// `transactionByteLimit` wherever it is sent.
  public static let sealedBodyByteLimit = 196_000
  /// The most bytes of a transaction as it is sent.
  public static let transactionByteLimit = 262_144
  /// How many brackets of a line may be open at once.
  public static let depthLimit = 32
  /// The most levels of a plain body: what `depthLimit` leaves of the three around it.
  public static let bodyDepthLimit = 29
  /// The most points that `auth` names.
  public static let pointLimit = 16
  /// The most entries of one line, transactions of a push among them.
  public static let entryLimit = 10_000
  /// The most prices of a page of tables, each table made whole.
  ///
  /// A table that only says what differs stands for as many prices as the one before it: without a
  /// bound a line could ask for hundreds of millions. One whole table never has as many as this.
  public static let pagePriceLimit = 250_000
  /// The most asset types of a market: those of a table, and of the asset table.
  public static let assetTypeLimit = 64
  /// The greatest integer of a line: 2^53 - 1.
  public static let integerLimit: UInt64 = 9_007_199_254_740_991
  /// The most requests in flight that a server may announce.
  public static let inFlightLimit = 256
  /// How long a peer may be silent before it is pinged, in milliseconds.
  public static let pingAfterMilliseconds: Int64 = 20_000
  /// How long a peer may be silent before it is given up, in milliseconds.
  public static let giveUpAfterMilliseconds: Int64 = 45_000
}

/// The limits that a server announces.
public struct Limits: Hashable, Sendable {
  /// The most bytes of a line, without its end; at least `Wire.lineByteLimit`.
  public var lineBytes: Int
  /// The most bytes of a body; at least `Wire.bodyByteLimit`.
  public var bodyBytes: Int
  /// The most bytes of a transaction as sent; at least `Wire.transactionByteLimit`.
  public var transactionBytes: Int
  /// The most requests in flight, from 1 to `Wire.inFlightLimit`.
  public var inFlight: Int
  /// The most entries, or transactions, of one line.
  public var entries: Int
  /// The most bytes that a page is made of, unless its first item alone is longer.
  public var pageBytes: Int

  /// Limits of those members; those of version 1 where none is named.
  public init(
    lineBytes: Int = Wire.lineByteLimit, bodyBytes: Int = Wire.bodyByteLimit,
    transactionBytes: Int = Wire.transactionByteLimit, inFlight: Int = 16, entries: Int = 1_000,
    pageBytes: Int = 524_288
  ) {
    self.lineBytes = lineBytes
    self.bodyBytes = bodyBytes
    self.transactionBytes = transactionBytes
    self.inFlight = inFlight
    self.entries = entries
    self.pageBytes = pageBytes
  }
}
