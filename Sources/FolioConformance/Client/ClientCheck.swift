/// Something that a client must do, or must not, and how that is found out.
public struct ClientCheck: Sendable {
  /// What is checked, in a few words.
  public let name: String
  /// The numbers of the requirements that it is about.
  public let requirements: [String]
  private let body: @Sendable (Trial) throws -> Void

  init(
    _ name: String, _ requirements: String..., body: @escaping @Sendable (Trial) throws -> Void
  ) {
    self.name = name
    self.requirements = requirements
    self.body = body
  }

  /// All of them, in the order of the specification.
  public static let all =
    lines + handshake + conversation + log + pushing + diverging + refusals + market

  /// Checks a client.
  ///
  /// It blocks for as long as the client takes.
  public func run(on client: ClientUnderTest) -> CheckResult {
    do {
      let trial = try Trial(client)
      // Scripts hold the trial that holds them; without them its folder goes.
      defer { trial.server.script = { _ in } }
      try body(trial)
      return CheckResult(name: name, requirements: requirements)
    } catch {
      return CheckResult(name: name, requirements: requirements, failure: "\(error)")
    }
  }
}
