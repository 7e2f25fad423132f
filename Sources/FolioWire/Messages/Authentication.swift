public import FolioDomain

/// Who is speaking: the second line of a client.
public struct Authentication: Hashable, Sendable {
  /// The account's name, 1 to 100 bytes.
  public var account: String
  /// The account's id, where the device knows it.
  public var accountID: AccountID?
  /// The device.
  public var device: DeviceIdentity
  /// Proof that the device holds its key.
  ///
  /// Unused until accounts have keys.
  public var proof: Proof?
  /// An invitation that makes the device known, at most 256 bytes.
  ///
  /// Unused until accounts have keys.
  public var enrol: String?
  /// Places in the log as the device knows it, at most 16, the newest first.
  public var points: [LogPosition]

  /// An authentication of those members.
  public init(
    account: String, accountID: AccountID? = nil, device: DeviceIdentity, proof: Proof? = nil,
    enrol: String? = nil, points: [LogPosition] = []
  ) {
    self.account = account
    self.accountID = accountID
    self.device = device
    self.proof = proof
    self.enrol = enrol
    self.points = points
  }
}

/// A device as it names itself.
public struct DeviceIdentity: Hashable, Sendable {
  /// The device.
  public var id: DeviceID
  /// This opening of its store: random, new each time, so that a copied store is noticed.
  public var instance: InstanceID
  /// Its public key, at most 1,024 bytes.
  ///
  /// Unused until accounts have keys.
  public var key: [UInt8]?
  /// The account's certificate for that key, at most 1,024 bytes.
  ///
  /// Unused until accounts have keys.
  public var certificate: [UInt8]?

  /// A device of those members.
  public init(
    id: DeviceID, instance: InstanceID, key: [UInt8]? = nil, certificate: [UInt8]? = nil
  ) {
    self.id = id
    self.instance = instance
    self.key = key
    self.certificate = certificate
  }
}

/// A signature over the handshake.
public struct Proof: Hashable, Sendable {
  /// How it was made, a name of 1 to 64 bytes.
  public var algorithm: String
  /// The public key that checks it, at most 1,024 bytes.
  public var key: [UInt8]
  /// The signature, at most 1,024 bytes.
  public var signature: [UInt8]

  /// A proof of those members.
  public init(algorithm: String, key: [UInt8], signature: [UInt8]) {
    self.algorithm = algorithm
    self.key = key
    self.signature = signature
  }
}

/// The answer to `auth`: facts, from which the client decides.
public struct Ready: Hashable, Sendable {
  /// The account.
  public var account: AccountID
  /// Where the server's log ends.
  public var head: LogPosition
  /// The newest of the client's points that is in the server's log.
  public var common: LogPosition?
  /// The last transaction of the device that the server has.
  public var acked: AckedTransaction?
  /// The position of the server's last backup; 0 with none.
  ///
  /// Entries up to it need not be kept.
  public var stable: UInt64
  /// The log, which informs; the hashes decide.
  public var log: LogID
  /// The market.
  public var market: MarketState
  /// The server's clock.
  public var time: Timestamp

  /// Facts of those members.
  public init(
    account: AccountID, head: LogPosition, common: LogPosition? = nil,
    acked: AckedTransaction? = nil, stable: UInt64 = 0, log: LogID, market: MarketState,
    time: Timestamp
  ) {
    self.account = account
    self.head = head
    self.common = common
    self.acked = acked
    self.stable = stable
    self.log = log
    self.market = market
    self.time = time
  }
}

/// The last transaction of a device that a server has.
public struct AckedTransaction: Hashable, Sendable {
  /// Its place among the device's transactions.
  public var sequence: UInt64
  /// Its identity.
  public var id: TransactionID
  /// The transaction of that place and identity.
  public init(sequence: UInt64, id: TransactionID) {
    self.sequence = sequence
    self.id = id
  }
}

/// How far a server's market data goes.
public struct MarketState: Hashable, Sendable {
  /// Epoch, newest revision, and the slot that the server's clock is in.
  public var position: MarketPosition
  /// The id of the currency that prices are in, such as `USD`.
  public var base: AssetID
  /// A market at `position`, priced in `base`.
  public init(position: MarketPosition, base: AssetID) {
    self.position = position
    self.base = base
  }
}
