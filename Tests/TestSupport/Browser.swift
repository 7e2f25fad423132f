import FolioSystem

/// A real browser without a window, where one is at hand.
///
/// It is looked for as `FOLIO_TEST_BROWSER`, else as Chromium or Chrome in the usual folders; a test
/// that needs it is skipped, saying so, where there is none.
public struct Browser: Sendable {
  private let program: BuiltProgram

  /// The browser, or nil where there is none.
  public static let installed: Browser? = {
    let named = ProcessEnvironment.value(of: "FOLIO_TEST_BROWSER").map { [$0] } ?? []
    let usual = ["chromium", "chromium-browser", "google-chrome"].flatMap {
      ["/usr/bin/\($0)", "/usr/local/bin/\($0)"]
    }
    return (named + usual).first { (try? Files.kind(of: $0)) == .file }
      .map { Browser(program: BuiltProgram(at: $0)) }
  }()

  /// Why a test that needs it is skipped.
  public static let reason = "needs chromium, or another browser that FOLIO_TEST_BROWSER names"

  /// How the page is shown.
  public struct View: Sendable {
    /// Columns and rows of the window, in points of the page.
    public var width: Int
    /// The height of the window.
    public var height: Int
    /// Whether dark colours are preferred.
    public var isDark: Bool
    /// A window of that size.
    public init(width: Int, height: Int, isDark: Bool = false) {
      self.width = width
      self.height = height
      self.isDark = isDark
    }
  }

  /// What came of a page.
  public struct Visit: Sendable {
    /// The document after its scripts have run.
    public let document: String
    /// What the page or the browser complained of on the page's console.
    public let complaints: [String]
  }

  /// Opens a file and lets its scripts run.
  public func visit(_ path: String, _ view: View) throws -> Visit {
    let run = try run(["--dump-dom"], path, view)
    return Visit(
      document: run.output,
      complaints: run.errors.split(separator: "\n").map(String.init)
        .filter { $0.contains("CONSOLE") })
  }

  /// Shows a file as it prints, as a PDF at `target`.
  public func printToPDF(_ path: String, at target: String) throws {
    try run(
      ["--print-to-pdf=\(target)", "--no-pdf-header-footer"], path, View(width: 800, height: 600))
  }

  /// Makes a picture of the window with a file in it, as a PNG at `target`.
  public func photograph(_ path: String, _ view: View, at target: String) throws {
    try run(["--screenshot=\(target)", "--hide-scrollbars"], path, view)
  }

  @discardableResult
  private func run(_ options: [String], _ path: String, _ view: View) throws -> CommandRun {
    let profile = try TemporaryFolder("browser")
    let dark = view.isDark ? ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] : []
    let run = try program.run(
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--disable-extensions", "--user-data-dir=\(profile.path)",
        "--enable-logging=stderr", "--virtual-time-budget=10000",
        "--window-size=\(view.width),\(view.height)",
      ] + dark + options + ["file://" + path], environment: ["HOME": profile.path])
    guard run.status == 0 else {
      throw CommandFailure(message: "the browser ended with \(run.status): \(run.errors)")
    }
    return run
  }
}
