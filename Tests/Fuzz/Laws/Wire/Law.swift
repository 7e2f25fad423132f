/// Something that must hold of the product, whatever bytes it is given.
///
/// The programs that fuzz try it on bytes that they make up, and the tests on those that are kept.
public struct Law: Sendable, CustomStringConvertible {
  /// Its name, which the folders of kept inputs bear.
  public let name: String
  /// Its name.
  public var description: String { name }
  private let hold: @Sendable (_ input: [UInt8], _ isPlanted: Bool) throws -> Void

  /// A law of that name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - hold: Throws where the law does not hold for the input. Where a fault is planted, the
  ///     product is made to look as if it broke the law now and then, so that it can be seen that
  ///     this is found.
  package init(
    _ name: String, _ hold: @escaping @Sendable (_ input: [UInt8], _ isPlanted: Bool) throws -> Void
  ) {
    self.name = name
    self.hold = hold
  }

  /// Checks the law for an input.
  ///
  /// - Parameters:
  ///   - input: Any bytes.
  ///   - isPlanted: Whether to check it of a product that has a fault, which is to be found.
  /// - Throws: ``BrokenLaw`` where it does not hold, and what the product throws where it must not.
  public func check(_ input: [UInt8], withFault isPlanted: Bool = false) throws {
    try hold(input, isPlanted)
  }
}

/// A law that does not hold for an input.
public struct BrokenLaw: Error, CustomStringConvertible {
  /// What was found.
  public let description: String

  /// A law is broken as `description` says.
  package init(description: String) { self.description = description }
}

/// Throws where `condition` does not hold.
package func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  guard condition else { throw BrokenLaw(description: what()) }
}

extension [UInt8] {
  /// The bytes, readable in a report.
  package var shown: String { String(decoding: prefix(400), as: UTF8.self) }
}
