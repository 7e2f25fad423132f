import FolioCrypto
import FolioDomain
import Testing

@testable import FolioReportPage

@Suite("A report's page as a document")
struct PageTests {
  @Test("every name is text, whatever it is: in a category, an id, a symbol, a name")
  func escaped() throws {
    let asset = try AssetKey("stock:<script>alert('a')</script>")
    let category = try Category(named: "\"/><img src=x onerror=alert(1)> & co")
    let info = AssetInfo(asset: asset, symbol: "<b>&amp;", name: "</title>\u{1B}[31m\u{0}")
    let page = ReportPage(
      try report(asset, in: category, prices: ["1", "2"]), names: [asset: info],
      madeAt: first.start
    ).text
    #expect(page.contains("&lt;script&gt;alert(&#39;a&#39;)&lt;/script&gt;"))
    #expect(page.contains("&quot;/&gt;&lt;img src=x onerror=alert(1)&gt; &amp; co"))
    #expect(page.contains("&lt;b&gt;&amp;amp;"))
    #expect(page.contains("&lt;/title&gt;\u{FFFD}[31m\u{FFFD}"))
    #expect(!page.contains("<img") && !page.contains("<b>"))
    #expect(page.components(of: "<script>") == 1)
  }

  @Test("a page asks for nothing from anywhere")
  func complete() throws {
    let page = ReportPage(
      try report(
        try AssetKey("stock:A"), in: try Category(named: "C"), prices: ["1", "2"]), names: [:],
      madeAt: first.start
    ).text
    for word in ["http:", "https:", "src=", "href=", "url(", "@import", "import("] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test("the policy names the hash of the page's script, so that no other one runs")
  func integrity() throws {
    let hash = SHA256.hash(of: bytes(of: PageScript.text))
    let expected = "sha256-" + base64(hash.bytes)
    #expect(PageScript.integrity.description == expected)
  }

  @Test(
    "text and marks can be read on their ground, by day, by night and on paper (WCAG 2, 4.5 : 1)")
  func contrast() throws {
    let style = PageStyle.text.description
    let palettes = style.split(separator: "--ground:").dropFirst()
    try #require(palettes.count == 3)
    for palette in palettes {
      let colors = try colors("--ground:" + palette.prefix { $0 != "}" })
      for ink in ["ink", "soft", "line", "gain", "loss", "warn"] {
        for ground in ["ground", "raised"] {
          let ratio = contrast(try #require(colors[ink]), try #require(colors[ground]))
          #expect(ratio >= 4.5, "\(ink) on \(ground): \(ratio)")
        }
      }
    }
  }

  private func colors(_ palette: some StringProtocol) throws -> [String: [Double]] {
    var colors: [String: [Double]] = [:]
    for declaration in palette.split(separator: ";") {
      let parts = declaration.split(separator: ":").map { String($0.filter { !$0.isWhitespace }) }
      guard parts.count == 2, parts[0].hasPrefix("--"), parts[1].hasPrefix("#") else { continue }
      let number = try #require(Int(parts[1].dropFirst(), radix: 16))
      colors[String(parts[0].dropFirst(2))] = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
    }
    return colors
  }

  private func contrast(_ a: [Double], _ b: [Double]) -> Double {
    func luminance(_ color: [Double]) -> Double {
      zip(color, [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
        sum + part.1 * (part.0 <= 0.04045 ? part.0 / 12.92 : power((part.0 + 0.055) / 1.055))
      }
    }
    let (one, other) = (luminance(a), luminance(b))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// x to the power of 2.4: x^2 times the y whose fifth power is x^2, which Newton's method finds.
  private func power(_ x: Double) -> Double {
    var root = x
    for _ in 0..<60 {
      let fourth = root * root * root * root
      root -= (fourth * root - x * x) / (5 * fourth)
    }
    return x * x * root
  }

  private func bytes(of text: StaticString) -> [UInt8] { text.withUTF8Buffer { Array($0) } }

  private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      var part = ""
      for _ in 0..<4 { (part, bits) = (String(digits[bits & 63]) + part, bits >> 6) }
      text += part.prefix(group.count + 1) + String(repeating: "=", count: 3 - group.count)
    }
    return text
  }
}

extension String {
  /// How often a word stands in the text.
  func components(of word: String) -> Int {
    indices.count { self[$0...].hasPrefix(word) }
  }
}
