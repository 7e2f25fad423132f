import FolioApp
import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

extension Command {
  private static let which = Argument("ASSET", "The asset, like crypto:bitcoin")
  private static let howMuch = Argument("AMOUNT", "An exact decimal, like 0.5")

  static let asset = Command(
    "asset", "Add, set, move, delete, list and look up assets",
    [
      Command(
        "add", "Add to what is held of an asset; a negative amount sells",
        details: "Instead of AMOUNT, a sum of money: what it buys at the latest price.",
        arguments: [which, Argument("AMOUNT", "An exact decimal, like 0.5", isOptional: true)],
        options: [
          Option("category", "NAME", "The category the asset goes to"),
          Option("worth", "MONEY", "A sum of money in place of AMOUNT"),
          Option("in", "CODE", "Its currency; the display currency without it"),
        ],
        session: { session in
          let asset = try session.invocation.asset()
          let category = try session.invocation.category()
          let sum = try session.sum()
          try session.make { portfolio in
            .add(asset, try sum.amount(of: asset, in: portfolio), category: category)
          }
        }),
      Command(
        "set", "Make the amount held what it says", arguments: [which, howMuch],
        session: { session in
          let invocation = session.invocation
          let amount = try Amount(try invocation.required("AMOUNT"))
          let asset = try invocation.asset()
          try session.make { _ in .set(asset, amount) }
        }),
      Command(
        "move", "Put an asset into a category", arguments: [which],
        options: [Option("category", "NAME", "The category", isRequired: true)],
        session: { session in
          let invocation = session.invocation
          let category = try Category(named: try invocation.required("category"))
          let asset = try invocation.asset()
          try session.make { _ in .move(asset, to: category) }
        }),
      Command(
        "delete", "Bring an asset's amount to 0; one that was in no snapshot is gone",
        arguments: [which],
        session: { session in
          let asset = try session.invocation.asset()
          try session.make { _ in .delete(asset) }
        }),
      Command(
        "list", "List what is held",
        options: [
          Option("type", "TYPE", "Only assets of a type"),
          Option("category", "NAME", "Only assets of a category"),
          Option("all", "Those whose amount is 0 too"),
        ],
        session: { session in try session.listAssets() }),
      Command(
        "search", "Look up a symbol, a name or an id in the asset table",
        arguments: [Argument("TEXT", "What to look for")],
        options: [Option("type", "TYPE", "Only assets of a type")],
        session: { session in try session.searchAssets() }),
    ])
}

extension MadeEdit {
  /// What is said of an edit that waits to be saved.
  var mark: String { isStaged ? "  (staged)" : "" }
}

extension Session {
  /// Makes one edit of an asset, or stages it, and says what it comes to.
  fileprivate func make(_ edit: (Portfolio) throws -> Edit) throws {
    try withPortfolio { portfolio in
      let made = try portfolio.make(try edit(portfolio))
      switch made.outcome {
      case .asset(let asset, let amount, let category):
        let isKnown = try isInAssetTable(asset, of: portfolio.store)
        try console.say(
          .row([
            "asset": .string(asset.text), "amount": .string(amount.decimalText),
            "category": .string(category.spelling.text), "inAssetTable": .flag(isKnown),
            "staged": .bool(made.isStaged),
          ]),
          text: "\(asset.text)  \(amount.decimalText)  in \(category.spelling.text)\(made.mark)")
        guard isKnown == false else { return }
        console.note(
          "hint: the asset table has no \(asset.text); 'folio asset search' looks one up")
      case .removed(let asset): try say(asset, "removed", made)
      case .zeroed(let asset): try say(asset, "zeroed", made)
      case .renamed, .document: break
      }
    }
  }

  private func say(_ asset: AssetKey, _ outcome: String, _ made: MadeEdit) throws {
    try console.say(
      .row([
        "asset": .string(asset.text), "outcome": .string(outcome), "staged": .bool(made.isStaged),
      ]),
      text: "\(asset.text)  \(outcome)\(made.mark)")
  }

  /// What was typed for how much.
  fileprivate func sum() throws -> TypedSum {
    let typed = invocation.argument("AMOUNT")
    guard let worth = invocation.option("worth") else {
      if invocation.option("in") != nil {
        throw Failure.usage("--in goes with --worth", hint: "--worth 500 --in EUR")
      }
      guard let typed else {
        throw Failure.usage(
          "asset add needs AMOUNT or --worth", hint: "folio asset add crypto:bitcoin 0.5")
      }
      return .amount(try Amount(typed))
    }
    if let typed {
      throw Failure.usage("'\(typed)' and --worth both say how much", hint: "leave one out")
    }
    return .worth(try Amount(worth), in: try invocation.currency("in"))
  }

  /// Whether the asset table has the asset; nil where none is held.
  private func isInAssetTable(_ asset: AssetKey, of store: Store) throws -> Bool? {
    try store.read { state in
      try state.assetTableCount() == 0 ? nil : state.info(of: asset) != nil
    }
  }

  fileprivate func listAssets() throws {
    let type = try invocation.option("type").map { try AssetType(validating: $0) }
    let category = try invocation.category()
    let all = invocation.flag("all")
    try read { state in
      var filter = HoldingFilter.all
      if let category { filter = .category(category.key) } else if let type { filter = .type(type) }
      let found = try state.holdings(filter, includesHidden: all).filter {
        type == nil || $0.holding.asset.type == type
      }
      let display = try Display(state)
      let infos = try found.map { try state.info(of: $0.holding.asset) }
      noteUnpriced(display)
      try console.say(
        rows: zip(found, infos).map { .holding($0, $1, display) },
        text: found.isEmpty ? "no assets\n" : table(found, infos, display).text)
    }
  }

  private func table(
    _ holdings: [PricedHolding], _ infos: [AssetInfo?], _ display: Display
  ) -> TextTable {
    var table = TextTable([
      .left("asset"), .left("symbol"), .right("amount"), .right(display.priceTitle),
      .right("value"), .left("category"),
    ])
    for (priced, info) in zip(holdings, infos) {
      let price = priced.quote.map { $0.price.text + (priced.isStale ? " (stale)" : "") }
      table.add([
        priced.holding.asset.text, info?.symbol ?? "", priced.holding.amountText,
        price ?? "unpriced", display.text(priced.value),
        priced.holding.category.spelling.text,
      ])
    }
    return table
  }

  fileprivate func searchAssets() throws {
    let text = try invocation.required("TEXT")
    let type = try invocation.option("type").map { try AssetType(validating: $0) }
    let (found, count) = try read { state in
      (try state.searchAssets(text, type: type), try state.assetTableCount())
    }
    var table = TextTable([.left("asset"), .left("symbol"), .left("name"), .right("rank")])
    for info in found {
      table.add([info.asset.text, info.symbol, info.name, info.rank.map { "\($0)" } ?? ""])
    }
    let none = count == 0 ? "no asset table: it comes with the first sync\n" : "nothing found\n"
    try console.say(
      rows: found.map(JSONValue.candidate), text: found.isEmpty ? none : table.text)
  }
}

/// How much, as it was typed.
private enum TypedSum {
  case amount(Amount)
  /// What a sum of money buys; without a currency, the one that values are shown in.
  case worth(Amount, in: AssetKey?)

  func amount(of asset: AssetKey, in portfolio: Portfolio) throws -> Amount {
    switch self {
    case .amount(let amount): amount
    case .worth(let money, let currency):
      try portfolio.read { state in
        try state.amount(of: asset, worth: money, in: currency ?? Settings(state).currency)
      }
    }
  }
}

extension Holding {
  /// The amount for a person, with what is wrong with it.
  var amountText: String {
    if isOutOfRange { return amount.decimalText + " (out of range)" }
    return amount.decimalText + (isOverdrawn ? " (overdrawn)" : "")
  }
}
