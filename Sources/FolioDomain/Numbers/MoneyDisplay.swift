/// How values in a currency are shown: its symbol and its digits after the point.
public struct CurrencyStyle: Hashable, Sendable {
  /// The currency's code, like `EUR`.
  public let code: String
  /// What is shown for it: a symbol, or the code where there is none that is its own.
  public let symbol: String
  /// The digits after the point that amounts of money in it have.
  public let places: Int

  /// The style of a currency, by its ISO 4217 code; an unknown code has two digits.
  public init(code: String) {
    self.code = code
    symbol = Self.symbols[code] ?? code
    places = Self.unusualPlaces[code] ?? 2
  }

  private static let symbols = [
    "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩", "ILS": "₪",
    "UAH": "₴", "TRY": "₺", "VND": "₫", "PHP": "₱", "NGN": "₦", "KZT": "₸",
  ]

  private static let unusualPlaces = [
    "BHD": 3, "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "IQD": 3, "ISK": 0, "JOD": 3, "JPY": 0,
    "KMF": 0, "KRW": 0, "KWD": 3, "LYD": 3, "OMR": 3, "PYG": 0, "RWF": 0, "TND": 3, "UGX": 0,
    "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
  ]
}

extension Value {
  /// The value rounded half to even at that many places, from 0 to 18, for display only.
  public func rounded(places: Int) -> Value {
    let cut = 18 - min(max(places, 0), 18)
    var rest = WideMagnitude(units)
    rest.divideRounding(byPowerOfTen: cut)
    guard rest.multiply(byPowerOfTen: cut), let units = rest.signed(isNegative: isNegative) else {
      // Rounding up at the very end of 256 bits; there is nothing nearer to show.
      return self
    }
    return Value(units: units)
  }

  /// How many digits after the point the value is shown with.
  ///
  /// Those of the currency from one unit of it on; below that, as many more as it takes to show two
  /// digits that are not leading zeros. What is not 0 is never shown as 0.
  public func displayPlaces(in currency: CurrencyStyle) -> Int {
    let one = Value(units: Int256(Int128(DecimalDigits.powersOfTen[18])))
    guard !isZero, magnitude < one else { return currency.places }
    var places = 18
    var rest = magnitude.units.int128 ?? 0
    while rest >= 100, places > currency.places {
      rest /= 10
      places -= 1
    }
    return places
  }

  /// The digits that are shown, with a comma between groups of three and without the symbol.
  public func displayDigits(in currency: CurrencyStyle) -> String {
    let places = displayPlaces(in: currency)
    let shown = rounded(places: places)
    let parts = shown.magnitude.text.split(separator: ".", omittingEmptySubsequences: false)
    let whole = Array((parts.first ?? "0").utf8)
    var bytes: [UInt8] = shown.isNegative ? [UInt8(ascii: "-")] : []
    for (i, digit) in whole.enumerated() {
      if i > 0, (whole.count - i) % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(digit)
    }
    if places > 0 {
      let fraction = parts.count > 1 ? Array(parts[1].utf8) : []
      bytes.append(UInt8(ascii: "."))
      bytes.append(contentsOf: fraction)
      bytes.append(
        contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, places - fraction.count)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value as it is shown, for display only: `$1,234.50`, `-€0.000012`, `CHF 80.00`.
  public func displayText(in currency: CurrencyStyle) -> String {
    let digits = displayDigits(in: currency)
    let symbol = currency.symbol == currency.code ? currency.code + " " : currency.symbol
    return digits.hasPrefix("-") ? "-" + symbol + digits.dropFirst() : symbol + digits
  }
}

extension Rate {
  /// The rate in hundredths with two places, for display only: `5.25 %`.
  public var percentText: String {
    let shown = Value(units: units).rounded(places: 4)
    let parts = shown.magnitude.text.split(separator: ".")
    let places = parts.count > 1 ? Array(parts[1].utf8) : []
    let fraction = places + repeatElement(UInt8(ascii: "0"), count: 4 - places.count)
    let digits = Array((parts.first ?? "0").utf8) + fraction.prefix(2)
    let whole = digits.dropLast().drop { $0 == UInt8(ascii: "0") } + digits.suffix(1)
    return (shown.isNegative ? "-" : "") + String(decoding: whole, as: UTF8.self) + "."
      + String(decoding: fraction.suffix(2), as: UTF8.self) + " %"
  }
}

extension Amount {
  /// What a sum of money buys at a price in the same currency, rounded towards 0 at 18 places, so
  /// that it is never worth more than the money.
  ///
  /// Nil where the price is 0 or the result is out of an amount's range.
  public init?(worth money: Amount, at price: Price) {
    self.init(worth: money, currencyPrice: .one, at: price)
  }

  /// What a sum of money buys, where both its currency and the asset have prices in a third one.
  ///
  /// - Parameters:
  ///   - money: The sum, in a currency of its own.
  ///   - currencyPrice: What one unit of that currency costs.
  ///   - price: What one unit of the asset costs.
  public init?(worth money: Amount, currencyPrice: Price, at price: Price) {
    self.init(worth: money, costing: CollectionOfOne(currencyPrice), at: CollectionOfOne(price))
  }

  /// What a sum of money buys, where the price of its currency and that of the asset are products.
  init?(
    worth money: Amount, costing currency: some Collection<Price>, at asset: some Collection<Price>
  ) {
    guard !asset.contains(where: \.isZero) else { return nil }
    var quotient = WideMagnitude(money.units.magnitude)
    for price in currency where !quotient.multiply(by: price.mantissa.magnitude) { return nil }
    let scale = asset.reduce(0) { $0 + Int($1.scale) } - currency.reduce(0) { $0 + Int($1.scale) }
    guard quotient.multiply(byPowerOfTen: max(scale, 0)) else { return nil }
    // Cutting several times cuts as much as cutting once.
    for price in asset { _ = quotient.divide(by: price.mantissa.magnitude) }
    quotient.divide(byPowerOfTen: max(-scale, 0))
    guard let amount = quotient.signed(isNegative: money.units < 0)?.amount else { return nil }
    self = amount
  }
}
