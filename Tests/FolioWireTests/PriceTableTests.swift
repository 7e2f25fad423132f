import FolioJSON
import FolioWire
import Testing

@Suite struct PriceTableTests {
  private let head =
    #"{"last":2,"market":{"base":"USD","epoch":"0123456789abcdef","revision":2,"through":5},"#
    + #""more":false,"re":4,"tables":["#

  private func line(_ tables: String) -> String { head + tables + #"],"type":"tables"}"# }

  private func table(_ rows: String, delta: Bool = false) -> String {
    let flag = delta ? #""delta":true,"# : ""
    return #"{\#(flag)"prices":[{"rows":[\#(rows)],"type":"crypto"}],"revision":1,"slot":5}"#
  }

  private func check(
    _ tables: String, _ code: JSONError.Code, at place: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = line(tables)
    let at = head.utf8.count + offset(of: place, in: tables)
    #expect(fault(text) == WireError(.json(code), at: at), sourceLocation: sourceLocation)
  }

  @Test func absenceIsExplicitInADeltaAndSilenceElsewhere() {
    #expect(fault(line("")) == nil)
    #expect(fault(line(table(#"["btc","1.5"],["eth","0"]"#))) == nil)
    let whole = table(#"["btc","1.5"]"#)
    #expect(fault(line(whole + "," + table(#"["btc",null]"#, delta: true))) == nil)
    check(table(#"["btc",null]"#), .badValue, at: "null")
    check(table(#"["btc","1"]"#, delta: true), .badValue, at: "{")
  }

  @Test func rowsAreInByteOrderAndOnce() {
    check(table(#"["b","1"],["a","1"]"#), .badValue, at: #"["a""#)
    check(table(#"["b","1"],["b","1"]"#), .badValue, at: #"["b","1"]]"#)
    #expect(fault(line(table("[\"e\u{301}\",\"1\"],[\"\u{E9}\",\"1\"]"))) == nil)
  }

  @Test func rowsAreAnIDAndAPriceInItsOneForm() {
    for price in ["\"1.50\"", "\"01\"", "\"-1\"", "\"1e3\"", "\"\"", "\"+1\"", "\" 1\"", "\".5\""] {
      check(table("[\"a\",\(price)]"), .badValue, at: price)
    }
    check(table(#"["a",1]"#), .wrongType, at: "1]")
    check(table(#"["a"]"#), .badValue, at: "]],\"type\":\"crypto\"")
    check(table("[]"), .badValue, at: "]],\"type\":\"crypto\"")
    check(table(#"["a","1","2"]"#), .badValue, at: "\"2\"")
    check(table("[\"\",\"1\"]"), .badValue, at: "\"\"")
    check(table("[\"a\\n\",\"1\"]"), .badValue, at: "\"a")
    check(table(#"["a","1"]"#).replacing("crypto", with: "Crypto"), .badValue, at: "\"Crypto")
  }
}
