public import FolioDomain

/// The first line of a connection.
///
/// Its shape is frozen for all versions.
public struct Hello: Hashable, Sendable {
  /// The versions that the client speaks, from 1 to 16 of them, each at least 1.
  public var versions: [Int]
  /// Names of what the client can do beyond the version.
  public var capabilities: [String]
  /// The client's program.
  public var client: Software
  /// 128 random bits, new for each connection.
  public var nonce: UInt128

  /// A greeting of those members.
  public init(
    versions: [Int] = Wire.versions, capabilities: [String] = [], client: Software, nonce: UInt128
  ) {
    self.versions = versions
    self.capabilities = capabilities
    self.client = client
    self.nonce = nonce
  }
}

/// A program, as it calls itself; it decides nothing.
public struct Software: Hashable, Sendable {
  /// Its name, 1 to 64 bytes.
  public var name: String
  /// Its version, 1 to 64 bytes.
  public var version: String
  /// A program of that name and version.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }
}

/// The answer to `hello`: what will be spoken, and by which server.
public struct Welcome: Hashable, Sendable {
  /// The version that is spoken from here on: the highest that both have.
  public var version: Int
  /// Names of what the server can do beyond the version, of those the client named.
  public var capabilities: [String]
  /// The server: 128 random bits, made with its folder.
  public var serverID: UInt128
  /// The server's program.
  public var server: Software
  /// The server's clock.
  public var time: Timestamp
  /// 128 random bits, new for each connection.
  public var nonce: UInt128
  /// What may be sent.
  public var limits: Limits
  /// When price tables are due.
  public var schedule: TableSchedule

  /// A welcome of those members.
  public init(
    version: Int = 1, capabilities: [String] = [], serverID: UInt128, server: Software,
    time: Timestamp, nonce: UInt128, limits: Limits = Limits(), schedule: TableSchedule
  ) {
    self.version = version
    self.capabilities = capabilities
    self.serverID = serverID
    self.server = server
    self.time = time
    self.nonce = nonce
    self.limits = limits
    self.schedule = schedule
  }
}

/// When price tables are due.
public struct TableSchedule: Hashable, Sendable {
  /// From one table to the next, in milliseconds.
  public var everyMilliseconds: Int64
  /// The next boundary, by the server's clock.
  public var next: Timestamp
  /// Tables every so often, the next one at `next`.
  public init(everyMilliseconds: Int64 = Slot.milliseconds, next: Timestamp) {
    self.everyMilliseconds = everyMilliseconds
    self.next = next
  }
}
