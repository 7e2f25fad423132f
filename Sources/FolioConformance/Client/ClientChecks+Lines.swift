import FolioDomain
import FolioWire

extension ClientCheck {
  /// Framing and JSON, as a client reads them.
  static let lines =
    [
      ClientCheck("a sync with an honest server succeeds", "sync-7", "conv-1", "conv-2", "save-1") {
        trial in
        try trial.runWell("nothing is wrong with the server")
        try expect(!trial.server.pushed.isEmpty, "no transaction was pushed")
        try expect(trial.server.log.count == 1, "\(trial.server.log.count) entries, not one")
      },
      ClientCheck("lines that are cut anywhere, and signs of life", "line-2", "line-3", "line-6") {
        trial in
        trial.server.script = { exchange in
          exchange.isTrickled = true
          exchange.lines = exchange.lines.map { [0x0A] + $0.dropLast() + [0x0D, 0x0A, 0x0D, 0x0A] }
        }
        try trial.runWell("lines come byte by byte, with 0x0D before their ends")
      },
      ClientCheck("separators of text within a line", "line-1", "json-16") { trial in
        trial.server.foreign(#"{"operations":[],"x":"\#u{2028}\#u{85}\#u{2029}\#u{FFFF}"}"#)
        try trial.runWell("a body has U+2028, U+0085 and U+FFFF")
      },
      ClientCheck("a stray carriage return", "line-2", "line-7") { trial in
        trial.server.script = { exchange in
          guard case .pull = exchange.request else { return }
          exchange.lines = exchange.lines.map { [0x20, 0x0D] + $0 }
        }
        try trial.runBadly("each page has a carriage return within its line")
      },
      ClientCheck("an answer that the stream's end cuts off", "line-5") { trial in
        trial.server.script = { exchange in
          guard case .assets = exchange.request else { return }
          exchange.lines = exchange.lines.map { Array($0.dropLast()) }
          exchange.closes = true
        }
        try trial.runBadly("the last line never ends")
      },
      ClientCheck("long lines before the handshake is done", "line-4") { trial in
        trial.server.script = { exchange in
          guard case .hello = exchange.request else { return }
          exchange.lines = exchange.lines.map { [UInt8](repeating: 0x20, count: 4_096) + $0 }
        }
        try trial.runBadly("the welcome is a line of more than 4,096 bytes")
      },
    ]
    + FaultyValue.grammar.filter { $0.requirement != "json-19" }.map { fault in
      ClientCheck("\(fault.name), from a server", fault.requirement, "conv-8") { trial in
        trial.server.script = { exchange in
          guard case .pull = exchange.request else { return }
          exchange.addMember(fault.bytes)
        }
        try trial.runBadly("each page is a line with \(fault.name)")
      }
    } + [
      ClientCheck("numbers that are no integers, from a server", "json-13", "json-14") { trial in
        trial.server.script = { exchange in
          guard case .pull = exchange.request else { return }
          exchange.addMember(Array("1.5}".utf8))
        }
        try trial.runBadly("each page has a fraction")
      }
    ]
}

extension ModelServer {
  /// Adds an entry of another device, with that body.
  func foreign(_ body: String, version: UInt8 = 1) {
    let device = DeviceID(0xf0e1 + UInt128(log.count))
    var transaction = Envelope.plain(
      device, 1, TransactionID(0xabc0 + UInt128(log.count)), body: body)
    transaction.version = version
    append(transaction)
  }
}
