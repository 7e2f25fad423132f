import Testing

@testable import FolioArguments

@Suite("How far long work is")
struct ProgressBarTests {
  @Test(
    "a bar as long as the part that is done, and its hundredths",
    arguments: [
      (0, "rows ░░░░░░░░░░░░░░░░░░░░ 0 %"), (499, "rows █████████░░░░░░░░░░░ 49 %"),
      (500, "rows ██████████░░░░░░░░░░ 50 %"), (1_000, "rows ████████████████████ 100 %"),
      (2_000, "rows ████████████████████ 100 %"), (-1, "rows ░░░░░░░░░░░░░░░░░░░░ 0 %"),
    ])
  func bar(done: Int, text: String) {
    #expect(ProgressBar.text("rows", done, of: 1_000) == text)
  }

  @Test("without a total, how much is done")
  func unknown() {
    #expect(ProgressBar.text("entries", 7, of: nil) == "entries: 7")
    #expect(ProgressBar.text("entries", 0, of: 0) == "entries: 0")
  }
}
