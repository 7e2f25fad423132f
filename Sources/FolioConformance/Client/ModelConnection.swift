import FolioDomain
import FolioJSON
import FolioWire

/// One connection of a client to the model server, as bytes in and out.
final class ModelConnection {
  let number: Int
  private unowned let server: ModelServer
  private var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var lastID: UInt64 = 0
  private var phase = Phase.greeting
  /// The device that the client named.
  private(set) var device: DeviceID?
  /// Whether the client has closed it, or this side has.
  var isOver = false

  private enum Phase { case greeting, authenticating, open }

  /// What is to be sent, and whether the connection then ends.
  struct Output {
    var pieces: [[UInt8]] = []
    var closes = false
  }

  init(number: Int, server: ModelServer) {
    self.number = number
    self.server = server
  }

  /// Takes bytes of the client.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Output {
    framer.append(bytes)
    var output = Output()
    while !output.closes {
      do throws(WireError) {
        guard let line = try framer.next() else { return output }
        if line.isEmpty { continue }
        if phase != .open, line.count > Wire.handshakeLineByteLimit {
          violate("a line of \(line.count) bytes before the handshake is done [line-4]")
        }
        let message = try Message(line: line)
        server.note(message, line, on: number)
        take(message, &output)
      } catch {
        violate("a line that is none of the protocol: \(error) [\(requirement(of: error))]")
        output.closes = true
      }
    }
    return output
  }

  private func requirement(of error: WireError) -> String {
    switch error.code {
    case .lineTooLong: "line-4"
    case .strayCarriageReturn: "line-2"
    case .unterminatedLine: "line-5"
    case .json(.notCanonical), .json(.numberNotPortable): "body-1"
    case .json(let code): code.isGrammar ? "json-3" : "value-1"
    }
  }

  private func violate(_ text: String) { server.violate(text) }

  private func take(_ message: Message, _ output: inout Output) {
    guard case .request(let id, let request) = message else {
      if case .reply(_, let reply) = message, reply != .pong {
        violate("\(reply.type.rawValue), which only servers send [conv-7]")
      }
      if phase != .open { violate("something else than hello and auth at first [hand-1]") }
      return
    }
    if id.value <= lastID { violate("the number \(id.value) after \(lastID) [conv-2]") }
    lastID = max(lastID, id.value)
    switch (phase, request) {
    case (.greeting, .hello): break
    case (.authenticating, .auth(let authentication)): device = authentication.device.id
    case (.greeting, _), (.authenticating, _), (.open, .hello), (.open, .auth):
      violate("\(request.type.rawValue) out of its place [hand-1]")
    case (.open, .push(let push)): read(push)
    default: break
    }
    var exchange = ModelServer.Exchange(
      connection: number, id: id, request: request, lines: [])
    do throws(ErrorMessage) {
      exchange.reply(try server.answer(request, self))
    } catch {
      exchange.refuse(error)
    }
    server.script(&exchange)
    advance(request, exchange)
    for line in exchange.lines {
      output.pieces += exchange.isTrickled ? line.map { [$0] } : [line]
    }
    output.closes = exchange.closes
  }

  /// Reads the bodies of a push as every other client will.
  private func read(_ push: Push) {
    for pushed in push.transactions where !pushed.isVoid {
      let transaction = pushed.transaction
      guard transaction.form == .plain, transaction.version == 1 else { continue }
      do throws(BodyError) {
        _ = try TransactionBody(decoding: transaction.body)
      } catch {
        violate("a body that no client can read: \(error.message) [save-1]")
      }
    }
  }

  private func advance(_ request: Request, _ exchange: ModelServer.Exchange) {
    guard !exchange.lines.isEmpty else { return }
    switch request {
    case .hello: phase = .authenticating
    case .auth: phase = .open
    default: break
    }
  }
}
