public import FolioDomain

/// The variable `FOLIO_CLOCK` does not hold a moment.
public struct ClockVariableError: DomainError, Hashable {
  /// What is wrong with its value.
  public let reason: TimeError

  /// The stable name of the rule.
  public var code: String { "clockMalformed" }
  /// What is wrong.
  public var message: String { "FOLIO_CLOCK: \(reason.message)" }
  /// What to do about it.
  public var hint: String { reason.hint }
}

extension ProcessEnvironment {
  /// The wall clock that this process is to go by: the system's, or one that starts at the moment
  /// that `FOLIO_CLOCK` names and runs on from there.
  ///
  /// The clock starts with this call; a program makes it once, first of all.
  public static func wallClock() throws(ClockVariableError) -> any WallClock {
    guard let text = value(of: "FOLIO_CLOCK") else { return SystemClock() }
    do throws(TimeError) {
      return OffsetClock(startingAt: try Timestamp(text))
    } catch {
      throw ClockVariableError(reason: error)
    }
  }
}
