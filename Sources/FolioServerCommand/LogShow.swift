import FolioArguments
import FolioDomain
import FolioJSON
import FolioServer

func showLog(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let account = try invocation.required("ACCOUNT")
  let year = try invocation.number("year")
  let storage = try context.open().storage
  let years = try storage.read(LogYears(account: account)).filter { $0.year == year ?? $0.year }
  if years.isEmpty {
    try context.console.say(rows: [], text: "no entries")
  }
  for element in years {
    try context.console.say(yearValue(element), text: yearText(element))
    var next = element.row.first
    while next <= element.row.last {
      let entries = try storage.read(LogScan(account: account, range: next...element.row.last))
      guard let last = entries.last else { break }
      try context.console.say(
        rows: entries.map { entryValue($0, year: element.year) },
        text: entries.map(entryText).joined())
      next = last.entry.seq + 1
    }
  }
}

private func yearValue(_ element: LogYears.Element) -> JSONValue {
  .members(
    ("year", .integer(Int64(element.year))), ("first", .integer(Int64(element.row.first))),
    ("last", .integer(Int64(element.row.last))),
    ("entries", .integer(Int64(element.row.last - element.row.first + 1))),
    ("hashBefore", .string(element.row.hashBefore.text)),
    ("hashAfter", .string(element.row.hashAfter.text)))
}

private func yearText(_ element: LogYears.Element) -> String {
  "\(element.year): entries \(element.row.first) to \(element.row.last)\n"
}

private func entryValue(_ stored: StoredEntry, year: Int) -> JSONValue {
  let entry = stored.entry
  let transaction = entry.transaction
  return .members(
    ("year", .integer(Int64(year))), ("seq", .integer(Int64(entry.seq))),
    ("acceptedAt", .string(entry.acceptedAt.text)),
    ("kind", .string(entry.kind == .accepted ? "accepted" : "void")),
    ("device", .string(transaction.device.text)),
    ("sequence", .integer(Int64(transaction.deviceSequence))),
    ("id", .string(transaction.id.text)),
    ("recordedAt", .string(transaction.recordedAt.text)),
    ("form", .string(transaction.form == .plain ? "plain" : "sealed")),
    ("version", .integer(Int64(transaction.version))),
    ("bodyBytes", .integer(Int64(transaction.body.count))),
    ("bodyHash", .string(entry.bodyHash.text)), ("hash", .string(stored.hash.text)),
    ("body", plainBody(transaction)))
}

/// A plain body as the object it is; a sealed one is not shown.
private func plainBody(_ transaction: Envelope) -> JSONValue {
  guard transaction.form == .plain else { return .null }
  return (try? JSONValue(parsing: transaction.body)) ?? .null
}

private func entryText(_ stored: StoredEntry) -> String {
  let entry = stored.entry
  let transaction = entry.transaction
  return "  \(entry.seq)  \(entry.acceptedAt)  \(entry.kind == .accepted ? "accepted" : "void    ")"
    + "  \(transaction.device.text.prefix(8))/\(transaction.deviceSequence)"
    + "  \(transaction.id.text.prefix(8))  \(transaction.body.count) bytes"
    + "  \(stored.hash.text.prefix(8))\n"
}
