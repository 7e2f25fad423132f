import FolioArguments
import FolioDomain
import FolioJSON
import FolioServer

func initFolder(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let base = invocation.option("base") ?? ServerFolder.defaultBase
  let folder = try ServerFolder.make(
    at: context.path, base: base, random: context.random, now: context.clock.now())
  let market = try folder.storage.read(MarketFacts()).market
  try context.console.say(
    .members(
      ("data", .string(context.path)), ("base", .string(market.base)),
      ("marketEpoch", .string(hexadecimal(market.epoch)))),
    text: "\(context.path) is ready; prices are in \(market.base)")
}

func createAccount(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let name = try invocation.required("NAME")
  guard AccountName.isValid(name) else { throw AccountError.invalidName }
  let folder = try context.openOrMake()
  let account = try folder.storage.write(
    CreateAccount(name, random: context.random, now: context.clock.now()))
  try context.console.say(
    accountValue(name, account, deviceCount: 0), text: "account \(name) is ready")
}

func listAccounts(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let accounts = try context.open().storage.read(AccountList())
  var table = TextTable([
    .left("account"), .right("entries"), .right("devices"), .right("backed up"), .left("state"),
  ])
  for element in accounts {
    table.add([
      element.name, "\(element.account.head.seq)", "\(element.deviceCount)",
      "\(element.account.stable)", element.account.isDisabled ? "disabled" : "open",
    ])
  }
  try context.console.say(
    rows: accounts.map { accountValue($0.name, $0.account, deviceCount: $0.deviceCount) },
    text: accounts.isEmpty ? "no accounts" : table.text)
}

func disableAccount(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let name = try invocation.required("NAME")
  let isDisabled = !invocation.flag("undo")
  _ = try context.open().storage.write(SetAccountDisabled(name, isDisabled))
  try context.console.say(
    .members(("account", .string(name)), ("disabled", .bool(isDisabled))),
    text: "account \(name) is \(isDisabled ? "disabled" : "open")")
}

private func accountValue(_ name: String, _ account: AccountRow, deviceCount: Int) -> JSONValue {
  .members(
    ("account", .string(name)), ("id", .string(account.id.text)),
    ("log", .string(account.log.text)), ("head", positionValue(account.head)),
    ("entries", .integer(Int64(account.head.seq))), ("devices", .integer(Int64(deviceCount))),
    ("stable", .integer(Int64(account.stable))), ("disabled", .bool(account.isDisabled)),
    ("createdAt", .string(account.createdAt.text)),
    ("lastAcceptedAt", .text(account.lastAcceptedAt?.text)),
    ("clockJump", account.jump.map(jumpValue) ?? .null))
}
