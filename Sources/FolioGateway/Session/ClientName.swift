/// A program as it introduces itself.
public struct ClientName: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its version.
  public var version: String
  /// A program of that name and version.
  public init(name: String = "folio", version: String = "1.0.0") {
    self.name = name
    self.version = version
  }
}
