/// The figures the demo's market is made of: five months of 2022, as they were.
///
/// Each row is a price in dollars and the moment it was known. There are none at weekends and on
/// holidays, and one a month for the coin: that prices are carried over, and when they are stale,
/// is part of what the demo shows.
enum DemoFigures {
  /// A price in dollars.
  struct Row {
    /// The moment it was known, as ISO 8601 in UTC.
    var time: String
    /// The asset's type.
    var type: String
    /// The asset's id.
    var id: String
    /// The price, a decimal in its one form.
    var price: String
  }

  /// Prices of a few assets at one hour of some days of 2022.
  struct Series {
    /// The assets' type.
    var type: String
    /// The assets, in the order of their columns.
    var ids: [String]
    /// The hour, in UTC.
    var hour: String
    /// A line for each day: month and day, and a price for each asset.
    var text: String

    /// The rows, in order of time.
    var rows: [Row] {
      text.split(separator: "\n").flatMap { line in
        let columns = line.split(separator: " ")
        return zip(ids, columns.dropFirst()).map { id, price in
          Row(time: "2022-\(columns[0])T\(hour)Z", type: type, id: id, price: String(price))
        }
      }
    }
  }

  /// Dollars for a bitcoin at the close of each month, known at the start of the next.
  ///
  /// Source: figures of public exchanges.
  static let coins = Series(
    type: "crypto", ids: ["bitcoin"], hour: "00:00:00",
    text: """
      08-01 23837.21
      09-01 20219
      10-01 19495
      11-01 20368
      12-01 16926
      """)

  /// All rows, in order of time and then of type and id.
  static var rows: [Row] {
    [coins, currencies, stocks].flatMap(\.rows)
      .sorted { ($0.time, $0.type, $0.id) < ($1.time, $1.type, $1.id) }
  }

  /// The rows as `folio-server prices import` reads them.
  static var csv: String {
    rows.reduce(into: "time,type,id,price\n") { csv, row in
      csv += "\(row.time),\(row.type),\(row.id),\(row.price)\n"
    }
  }

  /// The asset table as `folio-server assets import` reads it.
  ///
  /// Two coins share a symbol, as seven do in the market: it is the id that tells them apart.
  static let assets = """
    {"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Bitcoin","rank":1}
    {"type":"crypto","id":"bobby-the-cat","symbol":"BTC","name":"Bobby The Cat","rank":7335}
    {"type":"forex","id":"EUR","symbol":"EUR","name":"Euro"}
    {"type":"forex","id":"GBP","symbol":"GBP","name":"Pound sterling"}
    {"type":"forex","id":"JPY","symbol":"JPY","name":"Japanese yen"}
    {"type":"forex","id":"USD","symbol":"USD","name":"US dollar"}
    {"type":"stock","id":"AAPL","symbol":"AAPL","name":"Apple"}
    {"type":"stock","id":"KO","symbol":"KO","name":"Coca-Cola"}
    {"type":"stock","id":"XOM","symbol":"XOM","name":"Exxon Mobil"}

    """
}
