/// The number by which the operating system names an error.
public struct Errno: Error, Hashable, Sendable, RawRepresentable {
  /// The number, as `errno` holds it.
  public var rawValue: Int32

  /// The error of that number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// The symbol of the number, such as `ENOENT`; `E` and the number where it has none here.
  public var name: String { Self.names[rawValue] ?? "E\(rawValue)" }

  /// What the system says about it, such as `No such file or directory`.
  public var message: String { systemMessage(rawValue) }
}

extension Errno: CustomStringConvertible {
  /// Message and symbol, such as `No such file or directory (ENOENT)`.
  public var description: String { "\(message) (\(name))" }
}
