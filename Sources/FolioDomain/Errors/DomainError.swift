/// An error of the domain: a rule that what was asked for breaks.
///
/// The code is stable, for programs. The message says what, where and which limit; the hint says
/// what to do. Neither repeats more than the caller wrote in that call.
public protocol DomainError: Error, Sendable, CustomStringConvertible {
  /// A stable name of the rule, in camel case.
  var code: String { get }
  /// What is wrong, where, and which limit is passed.
  var message: String { get }
  /// What to do about it.
  var hint: String { get }
}

extension DomainError {
  /// The text form.
  public var description: String { "\(code): \(message)" }
}
