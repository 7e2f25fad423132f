import FolioCSV
import FolioDomain

/// A file of prices that can't be read at all.
@nonexhaustive
package enum PriceFileError: DomainError, Hashable {
  /// The first line is not the header.
  case header

  package var code: String { "priceFileHeader" }
  package var message: String { "line 1 is not the header \(PriceFile.header)" }
  package var hint: String { "write a line for each price, under the header \(PriceFile.header)" }
}

/// The prices of a CSV file with the columns `time,type,id,price`.
///
/// A line that is not right is left out and named; the rest counts.
package struct PriceFile: Sendable {
  /// The first line.
  package static let header = "time,type,id,price"

  /// The prices.
  package private(set) var observations = PriceObservations()
  /// The lines that were left out.
  package private(set) var problems = LineProblems()

  /// The most bytes of a line.
  private static let lineByteLimit = 4_096

  private let base: AssetKey
  private var types: [String: AssetType] = [:]

  /// Reads a file, for a server whose prices are in `base`.
  ///
  /// Prices may have exponents: the digits are read, never a binary fraction. Empty lines are
  /// nothing.
  /// - Throws: ``PriceFileError/header`` where the first line is not the header.
  package init(_ bytes: UnsafeRawBufferPointer, base: String) throws {
    self.base = AssetKey(type: .forex, id: AssetID(unchecked: base))
    var scanner = CSVScanner(recordByteLimit: Self.lineByteLimit, fieldsSpanLines: false)
    var lines = LineSplitter(bytes)
    guard let first = lines.line(), first.elementsEqual(Self.header.utf8),
      try scanner.next(in: bytes)
    else { throw PriceFileError.header }
    while true {
      do {
        guard try scanner.next(in: bytes) else { return }
        try add(scanner, bytes)
      } catch let fault as CSVFault {
        problems.add(scanner.line, fault.code, fault.message)
      } catch let fault as LineFault {
        problems.add(scanner.line, fault.code, fault.message)
      } catch let fault as any DomainError {
        problems.add(scanner.line, fault.code, fault.message)
      }
    }
  }

  private struct LineFault: Error {
    var code: String
    var message: String
  }

  private mutating func add(_ scanner: CSVScanner, _ bytes: UnsafeRawBufferPointer) throws {
    guard scanner.fieldCount == 4 else {
      throw LineFault(
        code: "columnCount", message: "a line has 4 columns; this one has \(scanner.fieldCount)")
    }
    let time = try scanner.withBytes(of: 0, in: bytes) { try Timestamp(utf8: $0) }
    let asset = AssetKey(
      type: try type(scanner.text(of: 1, in: bytes)),
      id: try AssetID(validating: scanner.text(of: 2, in: bytes)))
    let price = try scanner.withBytes(of: 3, in: bytes) { try Price(utf8: $0, form: .imported) }
    guard asset != base || price == .one else {
      throw LineFault(
        code: "basePrice", message: "the price of \(base), the base currency, is always 1")
    }
    guard Slot.range.contains(Slot(firstBoundaryAtOrAfter: time)) else {
      throw LineFault(code: "timeOutOfRange", message: "the time is after the last slot there is")
    }
    observations.add(asset, price, at: time)
  }

  private mutating func type(_ text: String) throws -> AssetType {
    if let known = types[text] { return known }
    let type = try AssetType(validating: text)
    types[text] = type
    return type
  }
}
