extension CurrencyStyle {
  /// The most digits after the point that values are shown with.
  public static let placesMax = 18

  /// The style of a currency with as many digits after the point as a person wants to see.
  ///
  /// - Parameters:
  ///   - code: The currency's code.
  ///   - places: The digits after the point, cut to 0 to ``placesMax``; nil for the currency's own.
  public init(code: String, places: Int?) {
    let usual = CurrencyStyle(code: code)
    self.init(
      code: usual.code, symbol: usual.symbol,
      places: places.map { min(max($0, 0), Self.placesMax) } ?? usual.places)
  }

  private init(code: String, symbol: String, places: Int) {
    self.code = code
    self.symbol = symbol
    self.places = places
  }
}

extension Value {
  /// The value in another currency: what it comes to at the price of a unit of that, rounded once,
  /// half to even, at 18 places.
  ///
  /// Nil where the price is 0 or the result needs more than 256 bits.
  public func converted(by quote: Quote) -> Value? {
    quote.isZero ? nil : divided(by: quote)
  }
}
