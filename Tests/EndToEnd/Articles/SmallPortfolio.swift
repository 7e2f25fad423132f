import Folio
import TestSupport

extension Portfolio {
  /// A new portfolio with two assets in two categories.
  static func small(in folder: TemporaryFolder) throws -> Portfolio {
    let portfolio = try Portfolio.create(at: folder.path + "/portfolio")
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
    try portfolio.add("4", of: "stock:AAPL", to: "Shares")
    return portfolio
  }
}
