/// HTML in the making, in which only what stands in this program's source is markup.
///
/// Names of elements and attributes are literals; every other text is escaped on its way in, so that
/// a category called `<script>` is a category's name and nothing else.
struct Markup {
  private(set) var bytes: [UInt8] = []
  /// The zone that times are told in.
  let zone: PageZone

  /// A document without anything in it.
  init(zone: PageZone = .utc) { self.zone = zone }

  /// Appends markup that stands in the source.
  mutating func markup(_ literal: StaticString) {
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends text.
  ///
  /// O(length).
  mutating func text(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup("&amp;")
      case "<": markup("&lt;")
      case ">": markup("&gt;")
      case "\"": markup("&quot;")
      case "'": markup("&#39;")
      case "\n", "\t": bytes.append(UInt8(ascii: " "))
      default:
        // A document must not have control characters, not even escaped ones.
        let isControl = scalar.properties.generalCategory == .control
        bytes.append(contentsOf: Array(String(isControl ? "\u{FFFD}" : scalar).utf8))
      }
    }
  }

  /// Appends an element with what `content` puts into it.
  ///
  /// An attribute whose value is nil is left out.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
    _ content: (inout Markup) -> Void = { _ in }
  ) {
    open(name, attributes)
    content(&self)
    close(name)
  }

  /// Appends an element with a text in it.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], text: String
  ) {
    element(name, attributes) { $0.text(text) }
  }

  /// Appends a name that a user or a server gave: whatever direction it is written in, it stays in
  /// its place.
  mutating func name(_ name: String) { element("bdi", text: name) }

  private mutating func open(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>
  ) {
    markup("<")
    markup(name)
    for case (let key, let value?) in attributes {
      markup(" ")
      markup(key)
      markup("=\"")
      text(value)
      markup("\"")
    }
    markup(">")
  }

  private mutating func close(_ name: StaticString) {
    markup("</")
    markup(name)
    markup(">")
  }
}
