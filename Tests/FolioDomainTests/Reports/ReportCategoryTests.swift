import FolioDomain
import Testing

@Suite("Reports by category and type")
struct ReportCategoryTests {
  let first = Slot(index: 100)
  private func after(_ steps: Int) -> Slot { first.advanced(by: steps) }

  private func moved(_ amount: String) -> NaiveModel {
    NaiveModel(
      from: first, [["stock:KO": "10"], ["stock:KO": "12"]],
      [
        change(after(-1), key("stock:KO"), "2", named("Old")),
        change(after(0), key("stock:KO"), amount, named("New")),
      ])
  }

  @Test("A move leaves the one and enters the other at the later price")
  func move() throws {
    let report = try moved("0").report()
    #expect(report.category("Old") == ReportFigures("20", "0", in: "0", out: "24"))
    #expect(report.category("New") == ReportFigures("0", "24", in: "24", out: "0"))
    #expect(report.whole == ReportFigures("20", "24", in: "0", out: "0"))
    #expect(report.category("Old")?.profit == money("4"))
    #expect(report.types.map(\.figures) == [report.whole])
    #expect(report.asset("stock:KO")?.figures == report.whole)
  }

  @Test("What is bought in the step of a move enters the new category")
  func moveAndBuy() throws {
    let report = try moved("1").report()
    #expect(report.category("Old") == ReportFigures("20", "0", in: "0", out: "24"))
    #expect(report.category("New") == ReportFigures("0", "36", in: "36", out: "0"))
    #expect(report.whole == ReportFigures("20", "36", in: "12", out: "0"))
  }

  @Test("What is sold in the step of a move leaves the old category at the earlier price")
  func moveAndSell() throws {
    let report = try moved("-0.5").report()
    #expect(report.category("Old") == ReportFigures("20", "0", in: "0", out: "23"))
    #expect(report.category("New") == ReportFigures("0", "18", in: "18", out: "0"))
    #expect(report.whole == ReportFigures("20", "18", in: "0", out: "5"))
  }

  @Test("A first name for a category moves the asset out of the one called after its type")
  func firstName() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10"], ["stock:KO": "12"]],
      [
        change(after(-1), key("stock:KO"), "2"),
        change(after(0), key("stock:KO"), "0", named("Drinks")),
      ])
    let report = try model.report()
    #expect(report.categories.map(\.category.key.text) == ["drinks", "stock"])
    #expect(report.category("stock") == ReportFigures("20", "0", in: "0", out: "24"))
  }

  @Test("A move of an asset without a price moves nothing, and both categories are there")
  func unpricedMove() throws {
    var model = moved("0")
    model.tables = priceTables(from: first, [[:], [:]])
    let report = try model.report()
    #expect(report.category("Old") == ReportFigures() && report.category("New") == ReportFigures())
  }

  @Test("An asset sold out of one category and bought back into another is no move")
  func soldAndBoughtBack() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10"], ["stock:KO": "11"], ["stock:KO": "12"]],
      [
        change(after(-1), key("stock:KO"), "2", named("Old")),
        change(after(0), key("stock:KO"), "-2"),
        change(after(1), key("stock:KO"), "1", named("New")),
      ])
    let report = try model.report()
    #expect(report.category("Old") == ReportFigures("20", "0", in: "0", out: "20"))
    #expect(report.category("New") == ReportFigures("0", "12", in: "12", out: "0"))
    #expect(report.whole == ReportFigures("20", "12", in: "12", out: "20"))
  }

  @Test("By today's categories nothing moves, and the past counts where the asset is today")
  func today() throws {
    let options = ReportOptions(categories: .today([key("stock:KO"): named("New")]))
    let report = try moved("1").report(options)
    #expect(report.categories.map(\.category.spelling.text) == ["New"])
    #expect(report.category("New") == ReportFigures("20", "36", in: "12", out: "0"))
    let unnamed = try moved("1").report(ReportOptions(categories: .today([:])))
    #expect(unnamed.categories.map(\.category.key.text) == ["stock"])
  }

  @Test("Types add up to the whole")
  func types() throws {
    let model = NaiveModel(
      from: first,
      [["stock:KO": "10", "crypto:nxt": "3"], ["stock:KO": "12", "crypto:nxt": "4"]],
      [
        change(after(-1), key("stock:KO"), "2"), change(after(-1), key("crypto:nxt"), "5"),
        change(after(0), key("crypto:nxt"), "-1"),
      ])
    let report = try model.report()
    #expect(report.types.map(\.type.text) == ["crypto", "stock"])
    #expect(report.types[0].figures == ReportFigures("15", "16", in: "0", out: "3"))
    #expect(report.types[1].figures == ReportFigures("20", "24", in: "0", out: "0"))
    #expect(report.whole == ReportFigures("35", "40", in: "0", out: "3"))
  }
}
