/// Why a record of a CSV file cannot be read; columns count from 1.
@nonexhaustive
public enum CSVFault: Error, Hashable, Sendable {
  /// A quoted field does not end.
  case quoteNotClosed(column: Int)
  /// A quote stands in a field that does not begin with one.
  case quoteInField(column: Int)
  /// Something stands between a closing quote and the next separator.
  case textAfterQuote(column: Int)
  /// A carriage return without a line feed.
  case bareReturn(column: Int)
  /// The bytes are not UTF-8.
  case notUTF8(column: Int)
  /// The record has more bytes than are read.
  case recordTooLong(byteCountMax: Int)

  /// A stable name.
  public var code: String {
    switch self {
    case .quoteNotClosed: "csvQuoteNotClosed"
    case .quoteInField: "csvQuoteInField"
    case .textAfterQuote: "csvTextAfterQuote"
    case .bareReturn: "csvBareReturn"
    case .notUTF8: "csvNotUTF8"
    case .recordTooLong: "csvRecordTooLong"
    }
  }

  /// What is wrong, and where.
  public var message: String {
    switch self {
    case .quoteNotClosed(let column): "the quote that column \(column) begins with is not closed"
    case .quoteInField(let column):
      "a quote stands in column \(column), which does not begin with one"
    case .textAfterQuote(let column):
      "something stands behind the closing quote of column \(column)"
    case .bareReturn(let column): "a carriage return without a line feed is in column \(column)"
    case .notUTF8(let column): "column \(column) is not UTF-8"
    case .recordTooLong(let limit): "the record has more than \(limit) bytes"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .quoteNotClosed, .quoteInField, .textAfterQuote:
      "put the whole field in quotes, and write a quote within it twice"
    case .bareReturn: "save the file with lines that end in LF or CRLF"
    case .notUTF8: "save the file as UTF-8"
    case .recordTooLong: "is a closing quote missing?"
    }
  }
}
