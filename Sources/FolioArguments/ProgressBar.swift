/// How far long work is, as a line of a terminal.
enum ProgressBar {
  private static let width = 20

  /// `rows █████░░░░░░░░░░░░░░░ 25 %`, or `rows: 250` where the total is not known.
  static func text(_ what: String, _ done: Int, of total: Int?) -> String {
    guard let total, total > 0 else { return "\(what): \(done)" }
    let share = Double(min(max(done, 0), total)) / Double(total)
    let filled = Int(share * Double(width))
    return what + " " + String(repeating: "█", count: filled)
      + String(repeating: "░", count: width - filled) + " \(Int(share * 100)) %"
  }
}
