import FolioArguments
import FolioDomain
import FolioJSON
import FolioServer

func backUp(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let target = try invocation.required("DIR")
  let logs = try context.open().backUp(to: target, now: context.clock.now())
  let entries = logs.reduce(0) { $0 + $1.seq }
  try context.console.say(
    .members(
      ("backup", .string(target)), ("accounts", .integer(Int64(logs.count))),
      ("entries", .integer(Int64(entries)))),
    text:
      "\(logs.count.counted("account")) with \(entries.counted("entry", "entries")) in \(target)")
}

func restore(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let backup = try invocation.required("DIR")
  let restored = try ServerFolder.restore(
    from: backup, to: context.path, random: context.random, now: context.clock.now())
  let accounts = try restored.folder.storage.read(AccountList())
  var text = "restored \(accounts.count.counted("account")), each log under a new id"
  if let replaced = restored.replaced { text += "; what was there is kept as \(replaced)" }
  try context.console.say(
    .members(
      ("data", .string(context.path)), ("replaced", .text(restored.replaced)),
      ("accounts", .integer(Int64(accounts.count))),
      ("logs", .array(accounts.map(logValue)))),
    text: text)
}

private func logValue(_ element: AccountList.Element) -> JSONValue {
  .members(
    ("account", .string(element.name)), ("log", .string(element.account.log.text)),
    ("head", positionValue(element.account.head)))
}

func status(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let folder = try context.open()
  let status = try folder.status()
  let now = context.clock.now()
  let ahead = status.accounts.filter { ($0.account.lastAcceptedAt ?? now) > now }
  try context.console.say(
    statusValue(status, context, now: now, ahead: ahead.map(\.name)),
    text: statusText(status, context, now: now, ahead: ahead.map(\.name)))
}

private func statusValue(
  _ status: ServerStatus, _ context: Context, now: Timestamp, ahead: [String]
) -> JSONValue {
  let jumps = status.accounts.compactMap { element in
    element.account.jump.map { jump -> JSONValue in
      .members(("account", .string(element.name)), ("jump", jumpValue(jump)))
    }
  }
  return .members(
    ("data", .string(context.path)), ("format", .integer(Int64(ServerFormat.version))),
    ("server", .string(DeviceID(status.server.id).text)), ("time", .string(now.text)),
    ("accounts", .integer(Int64(status.accounts.count))),
    ("entries", .integer(Int64(status.entryCount))),
    ("base", .string(status.market.base)),
    ("marketEpoch", .string(hexadecimal(status.market.epoch))),
    ("revision", .integer(Int64(status.market.revision))),
    ("through", .string(Slot(containing: now).text)),
    ("priceTables", .integer(Int64(status.tableCount))),
    ("heldBack", .integer(Int64(status.heldBackCount))),
    ("newestTable", .text(status.newestTable?.text)),
    ("assets", .integer(Int64(status.assets.count))),
    ("assetsTag", .string(status.assets.tag.text)),
    ("backedUpAt", .text(status.server.backedUpAt?.text)),
    ("bytesUsed", .integer(Int64(status.usedByteCount))),
    ("bytesLimit", .integer(Int64(status.byteLimit))),
    ("nearLimit", .bool(status.isNearLimit)),
    ("clockJumps", .array(jumps)), ("clockBehind", .array(ahead.map { .string($0) })))
}

private func statusText(
  _ status: ServerStatus, _ context: Context, now: Timestamp, ahead: [String]
) -> String {
  var lines = [
    "folder        \(context.path)",
    "time          \(now)",
    "accounts      \(status.accounts.count), \(status.entryCount.counted("entry", "entries"))",
    "prices        in \(status.market.base), revision \(status.market.revision): "
      + "\(status.tableCount.counted("table")), \(status.heldBackCount) held back",
    "newest table  \(status.newestTable?.text ?? "none")",
    "assets        \(status.assets.count)",
    "backup        \(status.server.backedUpAt?.text ?? "never")",
    "space         \(status.usedByteCount) of \(status.byteLimit) bytes",
  ]
  if status.isNearLimit {
    lines.append("warning       more than four fifths of the space are used")
  }
  for element in status.accounts {
    guard let jump = element.account.jump else { continue }
    lines.append(
      "warning       the clock jumped from \(jump.from) to \(jump.to) in the log of \(element.name)"
    )
  }
  for name in ahead {
    lines.append("warning       the clock is behind the last entry in the log of \(name)")
  }
  return lines.joined(separator: "\n")
}
