import FolioWire

/// What one connection, and all of them, may take.
package struct HubLimits: Sendable {
  /// The most connections at a time.
  package var connections = 1024
  /// The most that ``connections`` may be.
  package static let connectionCountMax = 19_000
  /// The most bytes a connection may send before it has logged in: two lines with their ends.
  package var bytesBeforeLogin = 2 * (Wire.handshakeLineByteLimit + 2)
  /// How long a connection may take to log in.
  package var loginTime = Duration.seconds(5)
  /// Once so many bytes wait to be read by a client, its requests wait too.
  package var waitingOutput = 1 << 20
  /// How long a client may leave what waits for it unread.
  package var stalledOutputTime = Duration.seconds(30)
  /// How long one line may take to arrive.
  package var lineTime = Duration.seconds(120)
  /// How long a connection that ends may take to read its last lines.
  package var lingerTime = Duration.seconds(5)
  /// Once so many bytes of requests are gathered, they are committed.
  package var commitBytes = 8 << 20

  /// The usual limits.
  package init() {}
}
