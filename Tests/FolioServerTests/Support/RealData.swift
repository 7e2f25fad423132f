import TestSupport
import Testing

extension RealData {
  /// Skips a test, saying so, where the file is not there.
  static func isAtHand(_ name: String) -> ConditionTrait {
    .enabled(if: has(name), Comment(rawValue: reason(name)))
  }
}
