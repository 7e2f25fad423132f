/// A host and port that no other machine can reach: without encryption nothing else is allowed.
public struct LoopbackAddress: Hashable, Sendable {
  /// The ways to name this machine.
  public enum Host: Hashable, Sendable {
    /// `localhost`: connecting tries 127.0.0.1, then ::1; listening takes 127.0.0.1.
    case localhost
    /// An address of 127.0.0.0/8.
    case ipv4(UInt32)
    /// `::1`.
    case ipv6
  }

  /// The host.
  public let host: Host
  /// The port; 0 is for listening, and takes any that is free.
  public let port: UInt16

  /// `port` of 127.0.0.1.
  public init(port: UInt16) {
    self.init(host: .ipv4(0x7f00_0001), port: port)
  }

  init(host: Host, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The address of `HOST:PORT`: `127.0.0.1:7070`, `localhost:7070` or `[::1]:7070`.
  ///
  /// Names are not looked up: but for `localhost` a name could lead anywhere.
  public init(_ text: String) throws(ServerURLError) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
      throw .portMissing(text)
    }
    let digits = text.utf8[text.utf8.index(after: colon)...]
    guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(Substring(digits))
    else { throw .portMalformed(String(Substring(digits))) }
    self.init(host: try Self.host(String(text[..<colon])), port: port)
  }

  private static func host(_ text: String) throws(ServerURLError) -> Host {
    if text.lowercased() == "localhost" { return .localhost }
    if text == "[::1]" { return .ipv6 }
    if text == "::1" { throw .bracketsMissing }
    guard let address = ipv4(text) else { throw .hostNotLoopback(text) }
    if address >> 24 != 127 { throw .hostNotLoopback(text) }
    return .ipv4(address)
  }

  /// Four numbers to 255 without leading zeros, which some readers take for octal.
  private static func ipv4(_ text: String) -> UInt32? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var address: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
        part.count == 1 || part.first != UInt8(ascii: "0"), let number = UInt8(Substring(part))
      else { return nil }
      address = address << 8 | UInt32(number)
    }
    return address
  }
}

extension LoopbackAddress: CustomStringConvertible {
  /// `HOST:PORT`, as it is parsed.
  public var description: String {
    switch host {
    case .localhost: "localhost:\(port)"
    case .ipv6: "[::1]:\(port)"
    case .ipv4(let address):
      "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255):\(port)"
    }
  }

  /// The addresses to try, in order.
  var socketAddresses: [SocketAddress] {
    switch host {
    case .localhost: [.ipv4(address: 0x7f00_0001, port: port), .ipv6Loopback(port: port)]
    case .ipv4(let address): [.ipv4(address: address, port: port)]
    case .ipv6: [.ipv6Loopback(port: port)]
    }
  }
}
