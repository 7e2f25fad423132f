import FolioDomain
import FolioJSON
import FolioServer
import FolioWire
public import WireLaws

extension Law {
  /// Whatever clients do: each line of the server is a message in its one form, each request is
  /// answered once and by what belongs to it, every error has a stable code, what is acknowledged is
  /// in the log, what waits is bounded, what is stored is sound, and silence ends every connection.
  ///
  /// An input is what clients send; see ``ServerTrial`` for the bytes that do something else.
  public static let server = Law("server") { script, isPlanted in
    var trial = try ServerTrial(isPlanted: isPlanted)
    for byte in script { try trial.take(byte) }
    try trial.finish()
  }
}

/// A client's side of what is said with the server under trial.
struct TrialClient {
  let id: ConnectionID
  /// Whether it reads what the server sends.
  var isReading = true
  private var sent = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var received = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var unanswered: [RequestID: Request?] = [:]
  private var lastAsked = RequestID(0)
  /// Whether a number was not greater than those before it, for which a server ends the connection.
  private(set) var isOutOfOrder = false
  /// Whether the server has said that it ends the connection.
  private(set) var isRefused = false
  /// Transactions that were acknowledged, with their places in the log.
  private(set) var acknowledged: [(TransactionID, UInt64)] = []

  private let isPlanted: Bool

  init(_ id: ConnectionID, isPlanted: Bool) {
    self.id = id
    self.isPlanted = isPlanted
  }

  /// How many requests have no answer.
  var unansweredCount: Int { unanswered.count }

  /// Notes what the client asks for with these bytes.
  mutating func send(_ bytes: [UInt8]) {
    sent.append(bytes)
    // After a fault of framing or of a message nothing is asked: the server ends the connection.
    while let line = try? sent.next() {
      do throws(WireError) {
        switch try Message(line: line) {
        case .request(let id, let request): ask(id, request)
        case .unknown(let unknown):
          if let id = unknown.id, unknown.re == nil { ask(id, nil) }
        default: break
        }
      } catch {
        if let id = error.request { ask(id, nil) }
      }
    }
  }

  /// Notes a request; nil for one that has no answer but an error.
  private mutating func ask(_ id: RequestID, _ request: Request?) {
    isOutOfOrder = isOutOfOrder || id <= lastAsked
    guard !isOutOfOrder else { return }
    lastAsked = id
    unanswered[id] = .some(request)
  }

  /// Takes what the server sends.
  mutating func receive(_ bytes: ArraySlice<UInt8>) throws {
    received.append(bytes)
    while let line = try received.next() {
      try require(!isRefused, "a line after the end: \(line.shown)")
      let message = try Message(line: line)
      try require(message.line.dropLast() == line[...], "not in its one form: \(line.shown)")
      // The fault that is planted: a server that does not answer `verify`.
      if isPlanted, case .reply(_, .hash) = message { continue }
      try take(message)
    }
    try require(received.pendingByteCount == 0, "half a line: \(bytes.count) bytes")
  }

  private mutating func take(_ message: Message) throws {
    switch message {
    case .reply(let re, let reply):
      guard let asked = unanswered.removeValue(forKey: re), let request = asked else {
        throw BrokenLaw(description: "\(reply.type) to \(re.value), which nobody asked")
      }
      try require(reply.type == request.replyType, "\(reply.type) to \(request.type)")
      if case .ack(let ack) = reply { try take(ack, to: request) }
    case .error(let re, let error):
      try require(
        PublishedCodes.all.contains(error.code), "the code \(error.code) is not published")
      if let re {
        try require(
          unanswered.removeValue(forKey: re) != nil, "\(error.code) to \(re.value), not asked")
      }
      isRefused = re == nil || error.errorClass == .fatal
    case .request(_, .ping), .note: break
    case .bye: isRefused = true
    case .request(_, let request):
      throw BrokenLaw(description: "a server asks \(request.type)")
    case .unknown(let unknown): throw BrokenLaw(description: "a server says \(unknown.type)")
    }
  }

  private mutating func take(_ ack: Ack, to request: Request) throws {
    guard case .push(let push) = request else { return }
    try require(
      ack.results.count == push.transactions.count,
      "\(ack.results.count) results of \(push.transactions.count) transactions")
    for (pushed, result) in zip(push.transactions, ack.results) {
      switch result {
      case .ok(let place), .duplicate(let place):
        acknowledged.append((pushed.transaction.id, place.seq))
      default: break
      }
    }
  }
}

/// The codes of errors that the specification names.
enum PublishedCodes {
  static let all: Set<String> = {
    let faults = JSONError.Code.allCases.map(\.rawValue)
    let framing: [WireError.Code] = [.lineTooLong, .strayCarriageReturn, .unterminatedLine]
    return Set(faults + framing.map(\.text) + ErrorCode.allCases.map(\.rawValue))
  }()
}
