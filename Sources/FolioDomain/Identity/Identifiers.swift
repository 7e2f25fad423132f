/// A device of an account: 128 random bits, taken when a store is made.
public struct DeviceID: Hashable, Sendable {
  /// The bits, first byte most significant.
  public var value: UInt128
  /// The id of those bits.
  public init(_ value: UInt128) { self.value = value }
}

/// One opening of a store: 128 random bits, new each time, so that a copied store is noticed.
public struct InstanceID: Hashable, Sendable {
  /// The bits, first byte most significant.
  public var value: UInt128
  /// The id of those bits.
  public init(_ value: UInt128) { self.value = value }
}

/// A transaction, for ever and in the whole account: 128 random bits.
public struct TransactionID: Hashable, Sendable {
  /// The bits, first byte most significant.
  public var value: UInt128
  /// The id of those bits.
  public init(_ value: UInt128) { self.value = value }
}

/// A log as one server keeps it: random, made with the log and anew when a backup is restored.
///
/// It informs; the hashes of the log decide.
public struct LogID: Hashable, Sendable {
  /// The bits, first byte most significant.
  public var value: UInt128
  /// The id of those bits.
  public init(_ value: UInt128) { self.value = value }
}

/// An account: 32 random bytes made with it.
public struct AccountID: Hashable, Sendable {
  /// The bytes.
  public var value: Hash256
  /// The id of those bytes.
  public init(_ value: Hash256) { self.value = value }
}

/// A JSON document in its collection: a UUID, written in lower case with hyphens.
public struct DocumentID: Hashable, Sendable {
  /// The 128 bits of the UUID, first byte most significant.
  public var value: UInt128
  /// The id of those bits.
  public init(_ value: UInt128) { self.value = value }
}
