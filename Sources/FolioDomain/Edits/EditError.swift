/// Why an edit cannot be made.
@nonexhaustive
public enum EditError: DomainError, Hashable {
  /// More was to be sold than is held.
  case insufficientHoldings(held: Int256, asked: Amount)
  /// The amount held would be out of an amount's range.
  case amountOverflow
  /// An amount held was to be set below 0.
  case amountNegative
  /// There is no such asset in the portfolio.
  case assetNotFound
  /// There is no such category.
  case categoryNotFound
  /// There is no such document.
  case documentNotFound

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .insufficientHoldings: "insufficientHoldings"
    case .amountOverflow: "amountOverflow"
    case .amountNegative: "amountNegative"
    case .assetNotFound: "assetNotFound"
    case .categoryNotFound: "categoryNotFound"
    case .documentNotFound: "documentNotFound"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .insufficientHoldings(let held, let asked):
      "not enough is held: \(held.decimalText) is, \(asked.text) was asked for"
    case .amountOverflow:
      "the amount held would have more than \(Amount.integerDigitLimit) digits before the point"
    case .amountNegative: "an amount held is not set below 0"
    case .assetNotFound: "the portfolio has no such asset"
    case .categoryNotFound: "there is no such category"
    case .documentNotFound: "there is no such document"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .insufficientHoldings: "sell at most what is held"
    case .amountOverflow: "add less, or split what is held"
    case .amountNegative: "set it to 0, or add a negative amount to sell"
    case .assetNotFound: "list the assets, hidden ones too, to see what is there; add it first"
    case .categoryNotFound: "list the categories to see their names"
    case .documentNotFound: "list the documents, deleted ones too, to see what is there"
    }
  }
}
