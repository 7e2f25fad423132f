public import FolioDomain

/// Times as a person in some zone reads them.
///
/// Nothing below the user interface knows local time.
public enum LocalTime {
  /// Makes a zone, such as `Europe/Berlin`, the one that this process tells local time in.
  ///
  /// - Returns: False where the system does not know it; nothing is changed then.
  public static func use(zone name: String) -> Bool {
    guard isName(name), let status = try? systemStatus(at: folder + "/" + name), status.isRegular
    else { return false }
    systemSetZone(name)
    return true
  }

  /// A moment in the zone that is used: `2026-03-01 08:00:00 CET`.
  ///
  /// A moment that the system cannot tell is given in UTC.
  public static func text(of time: Timestamp) -> String {
    systemLocalTime(time.milliseconds / 1_000) ?? time.text
  }

  /// How many seconds the zone that is used is ahead of UTC at a moment.
  public static func offsetSeconds(at time: Timestamp) -> Int64 {
    systemZoneOffset(time.milliseconds / 1_000)
  }

  private static var folder: String {
    ProcessEnvironment.value(of: "TZDIR") ?? "/usr/share/zoneinfo"
  }

  /// Whether it is the name of a zone and of nothing outside their folder.
  private static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return isPlain && !name.isEmpty && !name.hasPrefix("/") && name.utf8.count <= 64
  }
}
