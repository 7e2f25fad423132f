import FolioArguments
import FolioDomain
import FolioJSON
import FolioServer
import FolioSystem
import FolioTransport
import FolioWire

func serve(_ invocation: Invocation) throws {
  let context = try Context(invocation)
  let way = try way(invocation)
  let limits = try hubLimits(invocation)
  let log = StandardErrorLog(
    clock: context.clock, least: try logLevel(invocation) ?? way.defaultLogLevel)
  let folder = try context.openOrMake()
  let service = try ServerService(
    storage: folder.storage, clock: context.clock, random: context.random,
    software: Software(name: "folio-server", version: ServerVersion.text))
  let hub = ServerHub(service: service, onlyAccount: way.account, limits: limits, log: log)
  let loop = try ServerLoop(hub: hub)
  try loop.drain(on: [.terminate, .interrupt])
  switch way {
  case .standardStreams:
    try loop.serveStandardStreams()
  case .port(let address):
    let bound = try loop.listen(on: address)
    try say(listeningOn: bound)
  }
  try loop.run()
  log.write(LogLine(.info, "stopped"))
}

private enum Way {
  case standardStreams(account: String)
  case port(LoopbackAddress)

  var account: String? {
    if case .standardStreams(let account) = self { account } else { nil }
  }

  /// With one client, standard error is the client's terminal.
  var defaultLogLevel: LogLevel {
    if case .standardStreams = self { .warning } else { .info }
  }
}

private func way(_ invocation: Invocation) throws -> Way {
  switch (invocation.flag("stdio"), invocation.option("listen")) {
  case (true, nil):
    guard let account = invocation.option("account") else {
      throw Failure.usage("serve --stdio needs --account", hint: "--account NAME")
    }
    guard AccountName.isValid(account) else { throw AccountError.invalidName }
    return .standardStreams(account: account)
  case (false, let address?):
    guard invocation.option("account") == nil else {
      throw Failure.usage("--account goes with --stdio", hint: "leave it out with --listen")
    }
    do {
      return .port(try LoopbackAddress(address))
    } catch {
      throw Failure(error, exit: .usage)
    }
  default:
    throw Failure.usage(
      "serve takes either --stdio or --listen", hint: "serve --listen 127.0.0.1:7070")
  }
}

/// Descriptors that a server has besides those of its clients.
private let ownDescriptorCount = 32

private func hubLimits(_ invocation: Invocation) throws -> HubLimits {
  var limits = HubLimits()
  guard let text = invocation.option("clients") else { return limits }
  guard let count = Int(text), (1...HubLimits.connectionCountMax).contains(count) else {
    throw Failure.usage(
      "--clients takes a number from 1 to \(HubLimits.connectionCountMax)", hint: "--clients 10000")
  }
  let wanted = count + ownDescriptorCount
  let descriptors = DescriptorLimit.raise(to: wanted)
  guard descriptors >= wanted else {
    throw Failure(
      code: "too_many_clients",
      message: "the system gives a process \(descriptors) descriptors, \(count) clients take "
        + "\(wanted)",
      hint: "raise the limit (ulimit -n), or serve fewer", exit: .notAllowed)
  }
  limits.connections = count
  return limits
}

private func logLevel(_ invocation: Invocation) throws -> LogLevel? {
  invocation.option("log-level").flatMap(LogLevel.init(rawValue:))
}

/// Says on standard error on which port the server listens.
private func say(listeningOn address: LoopbackAddress) throws {
  var writer = JSONWriter()
  writer.beginObject()
  writer.name("listening")
  writer.string(address.description)
  writer.endObject()
  writer.append(UInt8(ascii: "\n"))
  try FileDescriptor.standardError.writeAll(writer.finish())
}
