public import FolioDomain
internal import FolioJSON
public import FolioStore

/// A transfer, step by step: from which category, which asset, how much, into which category.
///
/// It holds what was answered so far and decides what is asked next. The rules are the domain's
/// (`Transfer`); what a screen looks like is the user interface's.
public struct TransferFlow: Hashable, Sendable {
  /// When it was begun, by this device's clock.
  public let begunAt: Timestamp
  /// The category that the asset leaves, once that was answered.
  public private(set) var from: CategoryKey?
  /// The asset, once that was answered.
  public private(set) var asset: AssetKey?
  /// How much of it goes, once that was answered.
  public private(set) var amount: Amount?
  /// The category that it goes to, once that was answered.
  public private(set) var to: Category?

  init(begunAt: Timestamp) { self.begunAt = begunAt }
}

/// What a user is asked next in a transfer.
public enum TransferScreen: Hashable, Sendable {
  /// Which category the asset leaves: those there are.
  case from([CategorySummary])
  /// Which asset goes: those of the category.
  case asset([PricedHolding], in: Category)
  /// How much of it goes: what is held.
  case amount(PricedHolding)
  /// Where it goes: the other categories there are; a new one can be named.
  case to([CategorySummary], PricedHolding)
  /// Whether all of this is right.
  case confirm(Transfer)

  /// Which step it is.
  public var step: TransferStep {
    switch self {
    case .from: .from
    case .asset: .asset
    case .amount: .amount
    case .to: .to
    case .confirm: .confirm
    }
  }
}

/// The steps of a transfer, in their order.
public enum TransferStep: Int, Hashable, Sendable, CaseIterable {
  /// The category that the asset leaves.
  case from
  /// The asset.
  case asset
  /// How much of it.
  case amount
  /// The category that it goes to.
  case to
  /// That all of it is right.
  case confirm
}

/// What a user answers to a screen of a transfer.
public enum TransferAnswer: Hashable, Sendable {
  /// The category that the asset leaves.
  case from(CategoryKey)
  /// The asset.
  case asset(AssetKey)
  /// How much of it.
  case amount(Amount)
  /// The category that it goes to.
  case to(Category)

  var step: TransferStep {
    switch self {
    case .from: .from
    case .asset: .asset
    case .amount: .amount
    case .to: .to
    }
  }
}

extension TransferFlow {
  /// Decides what is asked next, on the state as it is.
  ///
  /// What has one answer only is not asked. What was answered and does not hold any more, because
  /// another device or another process changed it, is asked again.
  func screen(on state: borrowing StoreReadTransaction) throws -> TransferScreen {
    let categories = try state.categories()
    guard let source = from ?? (categories.count == 1 ? categories.first?.category.key : nil),
      let category = categories.first(where: { $0.category.key == source })?.category
    else { return .from(categories) }
    let held = try state.holdings(.category(source))
    guard let key = asset ?? (held.count == 1 ? held.first?.holding.asset : nil),
      let holding = held.first(where: { $0.holding.asset == key })
    else { return .asset(held, in: category) }
    guard let amount, holds({ try Transfer.check(amount, of: holding.holding) }) else {
      return .amount(holding)
    }
    guard let to, holds({ try Transfer.check(to, for: holding.holding) }) else {
      return .to(categories.filter { $0.category.key != source }, holding)
    }
    return .confirm(Transfer(key, amount, from: source, to: to))
  }

  /// Takes the answer to the present screen in, once the domain has checked it.
  ///
  /// - Throws: `AppError.stepOutOfOrder` where something else is asked, and what the domain says of
  ///   the answer; the flow is as it was then.
  mutating func take(_ answer: TransferAnswer, on state: borrowing StoreReadTransaction) throws {
    let screen = try screen(on: state)
    guard answer.step == screen.step else {
      throw AppError.stepOutOfOrder(asked: screen.step, answered: answer.step)
    }
    switch (answer, screen) {
    case (.from(let key), .from(let categories)):
      guard categories.contains(where: { $0.category.key == key }) else {
        throw EditError.categoryNotFound
      }
      from = key
    case (.asset(let key), .asset(_, let category)):
      _ = try Transfer.holding(of: key, in: category.key, on: state)
      (from, asset) = (category.key, key)
    case (.amount(let sum), .amount(let holding)):
      try Transfer.check(sum, of: holding.holding)
      (from, asset, amount) = (holding.holding.category.key, holding.holding.asset, sum)
    case (.to(let category), .to(_, let holding)):
      try Transfer.check(category, for: holding.holding)
      to = category
    default: throw AppError.stepOutOfOrder(asked: screen.step, answered: answer.step)
    }
  }

  /// Takes the last answer back.
  mutating func goBack() {
    if to != nil {
      to = nil
    } else if amount != nil {
      amount = nil
    } else if asset != nil {
      asset = nil
    } else {
      from = nil
    }
  }

  private func holds(_ check: () throws -> Void) -> Bool {
    switch Result(catching: check) {
    case .success: true
    case .failure: false
    }
  }
}

extension TransferFlow {
  /// What is kept of the flow between its steps.
  var json: JSONValue {
    var members: [String: JSONValue] = [:]
    members["from"] = from.map { .string($0.text) }
    members["asset"] = asset.map { .string($0.text) }
    members["amount"] = amount.map { .string($0.text) }
    members["to"] = to.map { .string($0.spelling.text) }
    return .members(members)
  }

  init(begunAt: Timestamp, json: JSONValue) throws {
    self.begunAt = begunAt
    func text(_ name: String) throws -> String? {
      json[name] == nil ? nil : try json.text(name)
    }
    from = try text("from").map(CategoryKey.init(unchecked:))
    asset = try text("asset").map { try AssetKey($0) }
    amount = try text("amount").map { try Amount($0) }
    to = try text("to").map { try Category(named: $0) }
  }
}
