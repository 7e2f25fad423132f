public import FolioDomain

/// Where a server is, as a user writes it.
public enum ServerURL: Hashable, Sendable {
  /// `stdio:COMMAND`: a program that `/bin/sh -c` runs, spoken to over its standard streams.
  case command(String)
  /// `tcp://HOST:PORT`: a server on this machine.
  case tcp(LoopbackAddress)

  /// The longest URL that is taken, in bytes.
  public static let byteCountMax = 4_096

  /// The server of `text`.
  public init(_ text: String) throws(ServerURLError) {
    if text.utf8.count > Self.byteCountMax {
      throw .tooLong(byteCount: text.utf8.count)
    }
    if text.utf8.contains(0) { throw .containsNull }
    if let command = Self.rest(of: text, after: "stdio:") {
      if command.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { throw .commandMissing }
      self = .command(command)
    } else if let address = Self.rest(of: text, after: "tcp://") {
      let address = try LoopbackAddress(address)
      if address.port == 0 { throw .portMalformed("0") }
      self = .tcp(address)
    } else if Self.rest(of: text, after: "tls://") != nil {
      throw .tlsNotOffered
    } else {
      throw .schemeUnknown(text)
    }
  }

  private static func rest(of text: String, after scheme: String) -> String? {
    guard text.utf8.starts(with: scheme.utf8) else { return nil }
    return String(Substring(text.utf8.dropFirst(scheme.utf8.count)))
  }
}

extension ServerURL: CustomStringConvertible {
  /// The URL, as it is parsed.
  public var description: String {
    switch self {
    case .command(let command): "stdio:\(command)"
    case .tcp(let address): "tcp://\(address)"
    }
  }
}

/// Why text is no address of a server.
@nonexhaustive
public enum ServerURLError: DomainError, Hashable {
  /// It starts with none of the schemes.
  case schemeUnknown(String)
  /// `tls://`, which this version does not speak.
  case tlsNotOffered
  /// Nothing follows `stdio:`.
  case commandMissing
  /// No port follows the host.
  case portMissing(String)
  /// The port is no number from 1 to 65535.
  case portMalformed(String)
  /// `::1` stands without its brackets.
  case bracketsMissing
  /// The host is not this machine, or a name that would have to be looked up.
  case hostNotLoopback(String)
  /// It is longer than `ServerURL.byteCountMax`.
  case tooLong(byteCount: Int)
  /// A NUL stands in it.
  case containsNull

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .schemeUnknown: "serverSchemeUnknown"
    case .tlsNotOffered: "tlsNotOffered"
    case .commandMissing: "serverCommandMissing"
    case .portMissing: "serverPortMissing"
    case .portMalformed: "serverPortMalformed"
    case .bracketsMissing, .hostNotLoopback: "serverHostNotLoopback"
    case .tooLong: "serverTooLong"
    case .containsNull: "serverMalformed"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .schemeUnknown(let text): "\"\(text)\" is no server: it has none of the known schemes"
    case .tlsNotOffered: "tls:// is not offered by this version"
    case .commandMissing: "no command follows stdio:"
    case .portMissing(let text): "\"\(text)\" has no port"
    case .portMalformed(let text): "\"\(text)\" is no port: a number from 1 to 65535 is"
    case .bracketsMissing: "::1 is written in brackets before a port"
    case .hostNotLoopback(let host):
      "\"\(host)\" is not this machine: plain TCP goes to 127.0.0.0/8, ::1 or localhost only"
    case .tooLong(let byteCount):
      "the server's address has \(byteCount) bytes, at most \(ServerURL.byteCountMax) are taken"
    case .containsNull: "a NUL byte stands in the server's address"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .tlsNotOffered, .hostNotLoopback:
      "reach another machine through ssh: \"stdio:ssh HOST folio-server serve --stdio ...\""
    case .bracketsMissing: "write [::1]:PORT"
    case .schemeUnknown, .commandMissing, .portMissing, .portMalformed, .tooLong, .containsNull:
      "write stdio:COMMAND or tcp://HOST:PORT"
    }
  }
}
