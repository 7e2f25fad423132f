import FolioCrypto
import FolioDomain
import TestSupport
import Testing

@Suite("The chain of hashes")
struct LogChainTests {
  private let account = AccountID(Hash256(words: (1, 2, 3, 4)))

  private var entry: LogEntry {
    let body = Array("{\"operations\":[]}".utf8)
    return LogEntry(
      seq: 1, acceptedAt: Timestamp(milliseconds: 1_772_348_400_000), kind: .accepted,
      transaction: Envelope(
        id: TransactionID(0x11), device: DeviceID(0x22), deviceSequence: 1,
        recordedAt: Timestamp(milliseconds: 1_772_348_399_000), body: body),
      bodyHash: SHA256.hash(of: body))
  }

  @Test("It starts with the hash of a label and the account's id")
  func start() {
    let expected = SHA256.hash(of: Array("folio log 1\n".utf8) + account.value.bytes)
    #expect(LogChain.start(account: account, using: SHA256.self) == expected)
  }

  @Test("An entry is hashed as fixed-width fields, most significant byte first")
  func fields() {
    let previous = Hash256(words: (9, 9, 9, 9))
    var bytes: [UInt8] = [1]
    bytes += previous.bytes
    bytes += [0, 0, 0, 0, 0, 0, 0, 1]
    bytes += [0, 0, 0x01, 0x9C, 0xA8, 0x32, 0x61, 0x80]
    bytes += [0]
    bytes += Array(repeating: 0, count: 15) + [0x22]
    bytes += [0, 0, 0, 0, 0, 0, 0, 1]
    bytes += Array(repeating: 0, count: 15) + [0x11]
    bytes += [0, 0, 0x01, 0x9C, 0xA8, 0x32, 0x5D, 0x98]
    bytes += [0]
    bytes += Array(repeating: 0, count: 8)
    bytes += entry.bodyHash.bytes
    #expect(bytes.count == 139)
    #expect(
      LogChain.next(after: previous, entry, using: SHA256.self) == SHA256.hash(of: bytes))
  }

  @Test("Every field of an entry changes the hash")
  func everyFieldCounts() {
    let previous = LogChain.start(account: account, using: SHA256.self)
    var changed: [LogEntry] = [entry]
    func add(_ change: (inout LogEntry) -> Void) {
      var copy = entry
      change(&copy)
      changed.append(copy)
    }
    add { $0.seq = 2 }
    add { $0.acceptedAt.milliseconds += 1 }
    add { $0.kind = .void }
    add { $0.bodyHash = .zero }
    add { $0.transaction.version = 2 }
    add { $0.transaction.id = TransactionID(1) }
    add { $0.transaction.device = DeviceID(1) }
    add { $0.transaction.deviceSequence = 2 }
    add { $0.transaction.recordedAt.milliseconds += 1 }
    add { $0.transaction.form = .sealed }
    add { $0.transaction.keyID = 1 }
    var hashes = Set(changed.map { LogChain.next(after: previous, $0, using: SHA256.self) })
    hashes.insert(LogChain.next(after: .zero, entry, using: SHA256.self))
    #expect(hashes.count == changed.count + 1)
  }

  @Test("A stub chains as the whole entry does")
  func stub() {
    var stub = entry
    stub.isStub = true
    stub.transaction.body = []
    let previous = LogChain.start(account: account, using: SHA256.self)
    #expect(
      LogChain.next(after: previous, stub, using: SHA256.self)
        == LogChain.next(after: previous, entry, using: SHA256.self))
  }
}
