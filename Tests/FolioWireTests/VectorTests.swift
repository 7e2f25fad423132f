import FolioCrypto
import FolioDomain
import FolioJSON
import FolioWire
import Foundation
import Testing

@Suite struct VectorTests {
  @Test func validLinesAreReadAndWrittenBack() throws {
    let vectors = try Vectors.load(ValidLine.self, from: "valid.ndjson")
    #expect(vectors.count >= 60)
    for vector in vectors {
      let message = try Message(line: Array(vector.line.utf8))
      let written = String(decoding: message.line, as: UTF8.self)
      #expect(written == (vector.canonical ?? vector.line) + "\n", "\(vector.name)")
    }
    let types = try Set(vectors.map { try Message(line: Array($0.line.utf8)).typeName })
    #expect(types.isSuperset(of: MessageType.allCases.map(\.rawValue)))
  }

  @Test func invalidLinesAreRefusedForWhatTheyAre() throws {
    let vectors = try Vectors.load(InvalidLine.self, from: "invalid.ndjson")
    #expect(vectors.count >= 180)
    for vector in vectors {
      guard let fault = fault(vector.bytes) else {
        Issue.record("taken: \(vector.name)")
        continue
      }
      #expect(fault.code.text == vector.code, "\(vector.name)")
      #expect(fault.offset == vector.offset, "\(vector.name)")
      #expect(fault.request == vector.request.map { RequestID($0) }, "\(vector.name)")
    }
  }

  /// A fault of the grammar is found where it is, whatever follows it.
  @Test func whatFollowsAFaultOfTheGrammarMakesNoDifference() throws {
    for vector in try Vectors.load(InvalidLine.self, from: "invalid.ndjson") {
      let code = try #require(JSONError.Code(rawValue: vector.code))
      guard code.isGrammar, code != .unexpectedEnd else { continue }
      #expect(fault(vector.bytes + Array("]}\"\\".utf8))?.offset == vector.offset, "\(vector.name)")
    }
  }

  @Test func F31_everyLineCutAtEveryPosition() throws {
    for vector in try Vectors.load(ValidLine.self, from: "valid.ndjson") {
      let line = Array(vector.line.utf8)
      let stream = line + [0x0A]
      let end = (line.lastIndex { $0 > 0x20 } ?? 0) + 1
      for cut in 0...stream.count {
        var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
        var lines: [[UInt8]] = []
        for piece in [stream[..<cut], stream[cut...]] {
          framer.append(piece)
          while let line = try framer.next() { lines.append(line) }
        }
        #expect(lines == [line], "\(vector.name) cut at \(cut)")
        // Half a line is no message, and is never taken for one.
        if cut < end {
          let half = fault(Array(line[..<cut]))
          #expect(half == WireError(.json(.unexpectedEnd), at: cut), "\(vector.name) cut at \(cut)")
        }
      }
    }
  }

  @Test func F31_everyLineFedByteByByte() throws {
    let lines = try Vectors.load(ValidLine.self, from: "valid.ndjson").map { Array($0.line.utf8) }
    var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
    var received: [[UInt8]] = []
    for line in lines {
      for byte in line + [0x0D, 0x0A] {
        framer.append(CollectionOfOne(byte))
        while let line = try framer.next() { received.append(line) }
      }
    }
    #expect(received == lines)
    try framer.finish()
  }

  @Test func streams() throws {
    for vector in try Vectors.load(FramedStream.self, from: "framing.ndjson") {
      let stream = Vectors.bytes(vector.hex)
      for size in 1...max(1, stream.count) {
        var framer = LineFramer(lineByteLimit: vector.limit)
        var lines: [String] = []
        var error: WireError?
        do throws(WireError) {
          for start in stride(from: 0, to: stream.count, by: size) {
            framer.append(stream[start..<min(start + size, stream.count)])
            while let line = try framer.next() {
              lines.append(String(decoding: line, as: UTF8.self))
            }
          }
          try framer.finish()
        } catch let fault {
          error = fault
        }
        #expect(lines == vector.lines, "\(vector.name)")
        #expect(error?.code.text == vector.code, "\(vector.name)")
        #expect(error?.offset == vector.offset, "\(vector.name)")
      }
    }
  }

  @Test func negotiations() throws {
    for vector in try Vectors.load(Negotiation.self, from: "negotiation.ndjson") {
      var server = ServerConversation(at: .zero)
      let hello = Hello(versions: vector.offered, client: .test, nonce: 1)
      let line = Message.request(RequestID(1), .hello(hello)).line.dropLast()
      switch server.receive(Array(line), at: .zero) {
      case .hello(_, _, let version): #expect(version == vector.version)
      case .end(let line?):
        let message = try Message(line: Array(line.dropLast()))
        guard case .error(RequestID(1), let error) = message else {
          Issue.record("no error")
          continue
        }
        #expect(error.code == vector.code)
        #expect(error.supported == vector.supported)
      default: Issue.record("neither agreed nor refused")
      }
    }
  }

  @Test func hashChain() throws {
    let text = try String(
      contentsOf: Vectors.folder.appending(path: "vectors/chain.ndjson"), encoding: .utf8)
    let links = try Vectors.load(ChainLink.self, from: "chain.ndjson")
    let account = AccountID(try Hash256(try #require(links.first?.account)))
    var hash = LogChain.start(account: account, using: SHA256.self)
    #expect(hash.text == links.first?.hash)
    var whole: LogEntry?
    for (line, link) in zip(text.split(separator: "\n"), links).dropFirst() {
      let entry = try entry(in: String(line)).logEntry(using: SHA256.self)
      if entry.isStub, let whole {
        // A stub chains as the whole entry does.
        #expect(entry.bodyHash == whole.bodyHash)
        #expect(entry.seq == whole.seq)
      } else {
        whole = entry
      }
      let next = LogChain.next(after: hash, entry, using: SHA256.self)
      #expect(next.text == link.hash)
      if entry.isStub { hash = next }
    }
    #expect(whole?.seq == 5)
  }

  /// The entry of a line of the chain, read as part of a page.
  private func entry(in line: String) throws -> WireEntry {
    guard case .object(let members) = try JSONValue(parsing: line),
      let entry = members.first(where: { $0.name == "entry" })
    else { throw JSONError(.missingMember, at: 0) }
    let json = String(decoding: try entry.value.canonicalBytes, as: UTF8.self)
    let page =
      #"{"entries":[\#(json)],"last":{"hash":"\#(Line.hash)","seq":1},"more":false,"re":1,"#
      + #""type":"page"}"#
    guard case .reply(_, .page(let page)) = try Message(line: Array(page.utf8)) else {
      throw JSONError(.badValue, at: 0)
    }
    return page.entries[0]
  }

  @Test func requirementsThatVectorsNameAreInTheSpecification() throws {
    let specification = try String(
      contentsOf: Vectors.folder.appending(path: "specification.md"), encoding: .utf8)
    let stated = specification.matches(of: /\*\*\[([a-z]+-[0-9]+)\]/).map { String($0.output.1) }
    #expect(Set(stated).count == stated.count, "a requirement is stated twice")
    let referred = specification.matches(of: /\[([a-z]+-[0-9]+)\]/).map { String($0.output.1) }
    #expect(Set(referred).isSubset(of: stated))
    var named: [String] = []
    named += try Vectors.load(ValidLine.self, from: "valid.ndjson").flatMap(\.requirements)
    named += try Vectors.load(InvalidLine.self, from: "invalid.ndjson").flatMap(\.requirements)
    named += try Vectors.load(FramedStream.self, from: "framing.ndjson").flatMap(\.requirements)
    named += try Vectors.load(Negotiation.self, from: "negotiation.ndjson").flatMap(\.requirements)
    named += try Vectors.load(ChainLink.self, from: "chain.ndjson").flatMap(\.requirements)
    #expect(Set(named).subtracting(stated) == [])
  }

  /// The examples in the specification's text are lines as they would be sent.
  @Test func examplesInTheSpecificationAreCanonicalLines() throws {
    let specification = try String(
      contentsOf: Vectors.folder.appending(path: "specification.md"), encoding: .utf8)
    let examples = specification.matches(of: /```json\n(.*)\n```/).map { String($0.output.1) }
    #expect(examples.count >= 2)
    for example in examples {
      #expect(isCanonical(Array(example.utf8)), "\(example)")
      if example.contains("\"type\"") { #expect(fault(example) == nil, "\(example)") }
    }
  }
}

extension Message {
  /// The name of the message's type on the wire.
  var typeName: String {
    switch self {
    case .request(_, let request): request.type.rawValue
    case .reply(_, let reply): reply.type.rawValue
    case .error: "error"
    case .note: "note"
    case .bye: "bye"
    case .unknown(let message): message.type
    }
  }
}
