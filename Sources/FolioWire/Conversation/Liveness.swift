/// Whether the peer is still there, by how long nothing has been heard of it.
///
/// Times are durations since any fixed moment of a clock that never steps.
struct Liveness: Sendable {
  /// What to do now.
  enum Action: Hashable, Sendable {
    case wait
    case ping
    case giveUp
  }

  private static let pingAfter = Duration.milliseconds(Wire.pingAfterMilliseconds)
  private static let giveUpAfter = Duration.milliseconds(Wire.giveUpAfterMilliseconds)

  private var heardAt: Duration
  /// Whether a ping was sent since something was last heard.
  private var hasPinged = false
  /// Whether a ping may be sent at all: not before the handshake is done.
  var canPing = false

  init(at now: Duration) { heardAt = now }

  /// Notes that something arrived, be it an empty line or part of one.
  mutating func hear(at now: Duration) {
    heardAt = now
    hasPinged = false
  }

  /// When `check` will have something to do, if nothing arrives before.
  var deadline: Duration {
    heardAt + (canPing && !hasPinged ? Self.pingAfter : Self.giveUpAfter)
  }

  mutating func check(at now: Duration) -> Action {
    let silence = now - heardAt
    if silence >= Self.giveUpAfter { return .giveUp }
    guard canPing, !hasPinged, silence >= Self.pingAfter else { return .wait }
    hasPinged = true
    return .ping
  }
}
