/// Something that a server must do, and how that is found out.
public struct ServerCheck: Sendable {
  /// What is checked, in a few words.
  public let name: String
  /// The numbers of the requirements that it is about.
  public let requirements: [String]
  private let body: @Sendable (ServerUnderTest) throws -> Void

  init(
    _ name: String, _ requirements: String...,
    body: @escaping @Sendable (ServerUnderTest) throws -> Void
  ) {
    self.name = name
    self.requirements = requirements
    self.body = body
  }

  /// All of them, in the order of the specification.
  public static let all =
    framing + json + values + conversation + handshake + entries + exactlyOnce + reading + refilling
    + market

  /// Checks a server.
  ///
  /// It blocks for as long as the server takes, and adds a few entries to the account's log.
  public func run(on server: ServerUnderTest) -> CheckResult {
    do {
      try body(server)
      return CheckResult(name: name, requirements: requirements)
    } catch {
      return CheckResult(name: name, requirements: requirements, failure: "\(error)")
    }
  }
}
