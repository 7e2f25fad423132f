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
        arguments: [which, howMuch],
        options: [Option("category", "NAME", "The category the asset goes to")],
        session: { session in
          let invocation = session.invocation
          try session.edit(
            .add(
              try invocation.asset(), try Amount(try invocation.required("AMOUNT")),
              category: try invocation.category()))
        }),
      Command(
        "set", "Make the amount held what it says", arguments: [which, howMuch],
        session: { session in
          let invocation = session.invocation
          try session.edit(
            .set(try invocation.asset(), try Amount(try invocation.required("AMOUNT"))))
        }),
      Command(
        "move", "Put an asset into a category", arguments: [which],
        options: [Option("category", "NAME", "The category", isRequired: true)],
        session: { session in
          let invocation = session.invocation
          let category = try Category(named: try invocation.required("category"))
          try session.edit(.move(try invocation.asset(), to: category))
        }),
      Command(
        "delete", "Bring an asset's amount to 0; one that was in no snapshot is gone",
        arguments: [which],
        session: { session in try session.edit(.delete(try session.invocation.asset())) }),
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

extension Session {
  /// Saves one edit of an asset and says what it came to.
  fileprivate func edit(_ edit: Edit) throws {
    try withStore { store in
      let saved = try store.write { try $0.save([edit]) }
      guard let outcome = saved.outcomes.first else { return }
      switch outcome {
      case .asset(let asset, let amount, let category):
        let isKnown = try isInAssetTable(asset, of: store)
        let members: KeyValuePairs<String, JSONValue> = [
          "asset": .string(asset.text), "amount": .string(amount.decimalText),
          "category": .string(category.spelling.text), "inAssetTable": .flag(isKnown),
        ]
        try console.say(
          .row(members), text: "\(asset.text)  \(amount.decimalText)  in \(category.spelling.text)")
        guard isKnown == false else { return }
        console.note(
          "hint: the asset table has no \(asset.text); 'folio asset search' looks one up")
      case .removed(let asset): try say(asset, "removed")
      case .zeroed(let asset): try say(asset, "zeroed")
      case .renamed, .document: break
      }
    }
  }

  private func say(_ asset: AssetKey, _ outcome: String) throws {
    try console.say(
      .row(["asset": .string(asset.text), "outcome": .string(outcome)]),
      text: "\(asset.text)  \(outcome)")
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
      let base = CurrencyStyle(code: try state.status().baseCurrency)
      var rows: [JSONValue] = []
      var table = TextTable([
        .left("asset"), .left("symbol"), .right("amount"), .right("price"), .right("value"),
        .left("category"),
      ])
      for priced in found {
        let info = try state.info(of: priced.holding.asset)
        rows.append(.holding(priced, info))
        let price = priced.quote.map { $0.price.text + (priced.isStale ? " (stale)" : "") }
        table.add([
          priced.holding.asset.text, info?.symbol ?? "", priced.holding.amountText,
          price ?? "unpriced", priced.value?.displayText(in: base) ?? "-",
          priced.holding.category.spelling.text,
        ])
      }
      try console.say(rows: rows, text: found.isEmpty ? "no assets\n" : table.text)
    }
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

extension Holding {
  /// The amount for a person, with what is wrong with it.
  var amountText: String {
    if isOutOfRange { return amount.decimalText + " (out of range)" }
    return amount.decimalText + (isOverdrawn ? " (overdrawn)" : "")
  }
}
