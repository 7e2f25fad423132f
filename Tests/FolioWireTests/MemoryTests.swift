import FolioWire
import TestSupport
import Testing

/// Lines that are made to cost memory, and how much they may.
private enum CostlyLine: String, CaseIterable, Codable, Sendable {
  case brackets, bracketsInBody, elements, elementsOfList, members, membersOfTransaction
  case longNumber, longFraction, escapes, page

  /// Within the limit of a line.
  var text: String {
    func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    let names = (0..<50_000).map { "\"_\(String($0, radix: 36))\":0" }.joined(separator: ",")
    let digits = many("9", 10_000)
    switch self {
    case .brackets: return many("[", 100_000)
    case .bracketsInBody: return Line.push(Line.transaction(body: many("[", 100_000)))
    case .elements: return "{\"id\":1,\"type\":\"ping\",\"x\":[\(many("0,", 500_000))0]}"
    case .elementsOfList: return Line.hello.replacing("[1]", with: "[\(many("1,", 500_000))1]")
    case .members: return "{\"id\":1,\"type\":\"ping\",\(names)}"
    case .membersOfTransaction: return Line.push(Line.transaction(more: ",\"x\":{\(names)}"))
    case .longNumber: return "{\"id\":\(digits),\"type\":\"ping\"}"
    case .longFraction: return Line.push(Line.transaction(body: "{\"a\":0.\(digits)}"))
    case .escapes: return "{\"type\":\"\(many("\\u0061", 170_000))\"}"
    case .page: return Line.push(many(Line.transaction() + ",", 4_000) + Line.transaction())
    }
  }

  /// Nil where the line is taken.
  var code: String? {
    switch self {
    case .brackets, .bracketsInBody: "nesting_too_deep"
    case .elements, .members, .page: nil
    case .elementsOfList, .membersOfTransaction, .escapes: "too_long"
    case .longNumber: "number_out_of_range"
    case .longFraction: "number_not_portable"
    }
  }
}

/// What is read costs memory of a small multiple of the longest line, whatever it is.
///
/// Measured in processes of their own.
@Suite(
  "Memory", .enabled(if: PeakMemory.isMeasurable, Comment(rawValue: PeakMemory.reason)))
struct MemoryTests {
  @Test("F32 A line without end costs no more than the longest line")
  func lineWithoutEnd() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let piece = [UInt8](repeating: 0x61, count: 65_536)
      var fault: WireError?
      let growth = try PeakMemory.growth {
        var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
        do throws(WireError) {
          for _ in 0..<1_000 {
            framer.append(piece)
            while try framer.next() != nil {}
          }
        } catch {
          fault = error
        }
      }
      PeakMemory.report("a line without end", growth)
      precondition(fault == WireError(.lineTooLong, at: Wire.lineByteLimit))
      precondition(growth.map { $0 <= 4 * Wire.lineByteLimit } == true)
    }
    PeakMemory.show(result?.standardOutputContent)
  }

  @Test("A line costs a small multiple of the longest", arguments: CostlyLine.allCases)
  private func costlyLine(_ line: CostlyLine) async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [line = line as CostlyLine] in
      let bytes = Array(line.text.utf8)
      precondition(bytes.count <= Wire.lineByteLimit)
      var found: WireError?
      let growth = try PeakMemory.growth { found = fault(bytes) }
      PeakMemory.report("\(line) of \(bytes.count) bytes", growth)
      precondition(found?.code.text == line.code, "\(line): \(String(describing: found))")
      precondition(growth.map { $0 <= 8 * Wire.lineByteLimit } == true)
    }
    PeakMemory.show(result?.standardOutputContent)
  }
}
