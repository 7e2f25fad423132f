import FolioArguments
import FolioConformance
import FolioJSON

/// The command line of the conformance runner.
let conformanceProgram = Program(
  "folio-conformance", "Checks a client or a server against the sync protocol, version 1.",
  version: "0.1.0",
  options: [
    Option("account", "NAME", "The account to name; conformance where it is not given"),
    Option("only", "TEXT", "Run only checks of that requirement, or with that in their names"),
    Option("show-errors", "Let the command's standard error through"),
  ],
  commands: [
    Command(
      "server", "Check a server that speaks over its standard streams",
      details: """
        What follows -- is a line for /bin/sh, which is run anew for each connection and serves it \
        on standard input and output. The server must have an account of the name given, and keep \
        what it takes from one run to the next; a few entries are added to the account's log.
        folio-conformance server -- folio-server --data DIR serve --stdio --account conformance
        """,
      arguments: [Argument("COMMAND", "A line of shell, after --")], run: checkServer),
    Command(
      "client", "Check a client that syncs with a server on a port of this machine",
      details: """
        What follows -- is a line for /bin/sh. It is one session of a client: it makes a store in \
        the folder $FOLIO_CONFORMANCE_FOLDER where there is none, makes one transaction, syncs \
        with the server at $FOLIO_CONFORMANCE_URL, for which {url} stands too, and ends with 0 \
        where the sync has succeeded. Checks that need a store with a past run it several times on \
        one folder.
        """,
      arguments: [Argument("COMMAND", "A line of shell, after --")], run: checkClient),
    Command("list", "List all checks with the requirements they are about", run: listChecks),
  ])

private func checkServer(_ invocation: Invocation) throws {
  var server = ServerUnderTest(
    command: try invocation.required("COMMAND"),
    account: invocation.option("account") ?? "conformance")
  server.showsErrors = invocation.flag("show-errors")
  let report = Report(invocation)
  for check in ServerCheck.all where report.wants(check.name, check.requirements) {
    try report.add(check.run(on: server))
  }
  try report.end()
}

private func checkClient(_ invocation: Invocation) throws {
  var client = ClientUnderTest(
    command: try invocation.required("COMMAND"),
    account: invocation.option("account") ?? "conformance")
  client.showsErrors = invocation.flag("show-errors")
  let report = Report(invocation)
  for check in ClientCheck.all where report.wants(check.name, check.requirements) {
    try report.add(check.run(on: client))
  }
  try report.end()
}

private func listChecks(_ invocation: Invocation) throws {
  let report = Report(invocation)
  for check in ServerCheck.all { try report.list("server", check.name, check.requirements) }
  for check in ClientCheck.all { try report.list("client", check.name, check.requirements) }
}
