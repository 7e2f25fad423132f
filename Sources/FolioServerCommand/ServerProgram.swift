import FolioArguments

/// The command line of the server.
let serverProgram = Program(
  "folio-server", "Keeps the logs of accounts, and prices for all of them.",
  version: ServerVersion.text,
  options: [Option("data", "DIR", "The folder that holds everything; needed by every command")],
  commands: [
    initCommand, serveCommand, accountCommands, assetCommands, priceCommands, logCommands,
    backupCommand, restoreCommand, verifyCommand, statusCommand,
  ],
  variables: [
    Program.Variable("FOLIO_CLOCK", "The time to begin with, like 2026-03-01T07:00:00Z; for tests")
  ])

/// The version of the program.
enum ServerVersion {
  static let text = "0.1.0"
}

private let initCommand = Command(
  "init", "Make the folder, with prices in a base currency",
  details: "The first command that needs the folder makes it too, with prices in USD.",
  options: [Option("base", "CODE", "The currency that prices are in: three capital letters")],
  run: initFolder)

private let serveCommand = Command(
  "serve", "Serve clients, one on standard input and output or many on a port of this machine",
  details: """
    With --stdio the client that started the server is trusted with the account that is named.
    With --listen the server says on standard error, once it listens, on which port it does: \
    {"listening":"HOST:PORT"}. Port 0 takes any that is free. SIGTERM lets what has arrived be \
    answered, says goodbye to everyone, and ends.
    The server's own log goes to standard error, a JSON object a line.
    """,
  options: [
    Option("stdio", "Serve one client on standard input and output"),
    Option("account", "NAME", "With --stdio: the account that the client may name"),
    Option("listen", "HOST:PORT", "Serve many clients on an address of this machine"),
    Option("clients", "COUNT", "With --listen: the most clients at once; 1024 without it"),
    Option(
      "log-level", "LEVEL", "What the log tells; without it info with --listen, else warning",
      choices: ["info", "warning", "error"]),
  ], run: serve)

private let accountCommands = Command(
  "account", "Accounts",
  [
    Command(
      "create", "Make an account with an empty log",
      arguments: [Argument("NAME", "1 to 64 of a-z, 0-9, _ and -")], run: createAccount),
    Command("list", "All accounts", run: listAccounts),
    Command(
      "disable", "Let nobody into an account any more, and cut who is in",
      arguments: [Argument("NAME", "The account")],
      options: [Option("undo", "Let them in again")], run: disableAccount),
  ])

private let assetCommands = Command(
  "assets", "The asset table",
  [
    Command(
      "import", "Add assets, or take their data for those that are there",
      details: """
        FILE has a JSON object on each line: {"type","id","symbol","name","rank"?,"successor"?,\
        "factor"?,"fromSlot"?}. Of a repeated id the first is kept and the others are reported; a \
        line that is not right is reported with its number and skipped. "-" reads standard input.
        """,
      arguments: [Argument("FILE", "The file")],
      options: [Option("replace", "Drop the assets that the file does not name")],
      run: importAssets)
  ])

private let priceCommands = Command(
  "prices", "Price tables",
  [
    Command(
      "import", "Put prices into the tables of their slots",
      details: """
        FILE is CSV under the header time,type,id,price:
        2026-03-01T05:00:00Z,crypto,bitcoin,93000.5
        A price goes into the table of the first boundary at or after its time, the last where \
        several fall in one. A line that is not right is reported with its number and skipped. \
        Importing a file twice changes nothing. "-" reads standard input.
        """,
      arguments: [Argument("FILE", "The file")],
      options: [Option("strict", "Import nothing where a line is not right")], run: importPrices)
  ])

private let logCommands = Command(
  "log", "Logs of accounts",
  [
    Command(
      "show", "Show a log, a part for each year",
      arguments: [Argument("ACCOUNT", "The account")],
      options: [Option("year", "YEAR", "Only the entries accepted in that year, in UTC")],
      run: showLog)
  ])

private let backupCommand = Command(
  "backup", "Write a copy of everything into a new folder; the server may run meanwhile",
  arguments: [Argument("DIR", "The folder, which must not be there, or be empty")], run: backUp)

private let restoreCommand = Command(
  "restore", "Put a backup in place of what is there, which is kept under another name",
  arguments: [Argument("DIR", "The folder of the backup")], run: restore)

private let verifyCommand = Command(
  "verify", "Check everything that is stored against its rules",
  details: "Every page and record is looked at first, then every rule. A server may run meanwhile.",
  run: verify)

private let statusCommand = Command("status", "What there is, and how it stands", run: status)
