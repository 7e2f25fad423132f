import FolioDomain
import FolioJSON
import FolioWire

extension Law {
  /// A line is a message or it is not, and what is said of it does not depend on who says it.
  ///
  /// A line that is taken is written in one way, which is read to the same message, by the short way
  /// to read entries as by the general one. One that is refused is no JSON where an independent look
  /// at the grammar finds that fault in that place, and JSON where it finds none.
  public static let message = Law("message") { line, isPlanted in
    let grammar = grammarFault(line)
    let message: Message
    do throws(WireError) {
      message = try Message(line: line)
    } catch {
      return try refused(line, error, grammar)
    }
    try require(grammar == nil, "taken, though \(String(describing: grammar))")
    var written = message.line
    if isPlanted { forgetEscape(&written) }
    try require(written.popLast() == 0x0A, "the line has no end")
    try require(!written.contains(0x0A), "the line has an end within")
    let again = try Message(line: written)
    try require(again == message, "\(message) is written as \(again)")
    try require(again.line.dropLast() == written[...], "written in two ways: \(written.shown)")
    try require(isCanonical(written), "not canonical: \(written.shown)")
    try readsTheGeneralWay(written, message)
  }

  private static func refused(_ line: [UInt8], _ error: WireError, _ grammar: JSONError?) throws {
    try require((0...line.count).contains(error.offset), "\(error) in \(line.count) bytes")
    guard case .json(let code) = error.code else {
      throw BrokenLaw(description: "a line by itself is refused for \(error)")
    }
    if let grammar {
      try require(
        code == grammar.code && error.offset == grammar.offset && error.request == nil,
        "refused for \(error), and by the grammar for \(grammar)")
    } else {
      try require(!code.isGrammar, "refused for \(error), which the grammar allows")
    }
    // Without a request's number nothing in the refusal is the line's, and a test reads those back.
    guard let request = error.request else { return }
    let told = Message.error(request, .badRequest(error))
    try require(
      try Message(line: Array(told.line.dropLast())) == told, "the refusal is not read: \(told)")
  }

  private static func grammarFault(_ line: [UInt8]) -> JSONError? {
    let span = line.span
    var reader = JSONReader(
      span.bytes,
      JSONRules(numbers: .any, depthMax: Wire.depthLimit, refusesDuplicates: true))
    do throws(JSONError) {
      try reader.skipValue()
      try reader.finish()
      return nil
    } catch {
      return error
    }
  }

  private static func isCanonical(_ line: [UInt8]) -> Bool {
    let span = line.span
    var reader = JSONReader(span.bytes, .document)
    return (try? reader.readCanonicalValue()) == 0..<line.count
  }

  /// With a space in each entry the short way does not match, and the general one is taken.
  private static func readsTheGeneralWay(_ line: [UInt8], _ message: Message) throws {
    let entries: [WireEntry]
    switch message {
    case .reply(_, .page(let page)): entries = page.entries
    case .request(_, .refill(let refill)): entries = refill.entries
    default: return
    }
    let opening = Array(#"{"acceptedAt":"#.utf8)
    // In a body a space is a fault.
    guard entries.allSatisfy({ $0.transaction.body.firstRange(of: opening) == nil }) else { return }
    var spaced: [UInt8] = []
    var rest = line[...]
    while let found = rest.firstRange(of: opening) {
      spaced += rest[..<found.lowerBound] + [0x7B, 0x20] + opening.dropFirst()
      rest = rest[found.upperBound...]
    }
    let general = try Message(line: spaced + rest)
    try require(general == message, "the general way reads \(general), not \(message)")
  }

  /// The fault that is planted: an encoder that forgets an escape.
  private static func forgetEscape(_ line: inout [UInt8]) {
    guard let place = line.firstIndex(of: UInt8(ascii: "\\")) else { return }
    line.remove(at: place)
  }
}
