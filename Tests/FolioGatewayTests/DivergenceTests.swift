import FolioDomain
import Testing

@testable import FolioGateway

/// Each cell of the table by which a client decides what a server's log means to it.
@Suite("Divergence: what a client does")
struct DivergenceTests {
  static let mine = AccountID(Hash256(words: (1, 2, 3, 4)))
  static let other = AccountID(Hash256(words: (5, 6, 7, 8)))

  static func place(_ seq: UInt64, branch: UInt64 = 0) -> LogPosition {
    LogPosition(seq: seq, hash: Hash256(words: (seq, branch, 0, 0)))
  }

  static func facts(
    account: AccountID? = mine, cursor: LogPosition? = place(10), keptFrom: UInt64 = 1,
    hashAtHead: Hash256? = nil, serverAccount: AccountID = mine, head: LogPosition,
    common: LogPosition? = nil
  ) -> Divergence.Facts {
    Divergence.Facts(
      account: account, cursor: cursor, keptFrom: keptFrom, hashAtServerHead: hashAtHead,
      serverAccount: serverAccount, serverHead: head, common: common)
  }

  @Test("A store that has met no server reads what there is")
  func firstMeeting() {
    let empty = Self.facts(account: nil, cursor: nil, head: Self.place(0))
    #expect(Divergence.decide(empty) == .pull)
    let full = Self.facts(account: nil, cursor: nil, head: Self.place(7))
    #expect(Divergence.decide(full) == .pull)
  }

  @Test("(i) The server has my hash at my place: pull", arguments: [10, 11, 5_000] as [UInt64])
  func continues(head: UInt64) {
    let facts = Self.facts(head: Self.place(head), common: Self.place(10))
    #expect(Divergence.decide(facts) == .pull)
  }

  @Test("F05 (ii) The server is behind, on my log: it is filled from its head")
  func prefix() {
    let known = Self.facts(
      hashAtHead: Self.place(6).hash, head: Self.place(6), common: Self.place(4))
    #expect(Divergence.decide(known) == .refill(after: Self.place(6)))
    let common = Self.facts(head: Self.place(6), common: Self.place(6))
    #expect(Divergence.decide(common) == .refill(after: Self.place(6)))
  }

  @Test("F06 (ii) The server's log is empty: it is filled from the start")
  func emptied() {
    #expect(
      Divergence.decide(Self.facts(head: Self.place(0))) == .refill(after: Self.place(0)))
  }

  @Test("F06 (ii) An emptied server knows the account under a new id: it is given the old one")
  func emptiedWithNewAccount() {
    let facts = Self.facts(serverAccount: Self.other, head: Self.place(0))
    #expect(Divergence.decide(facts) == .refill(after: Self.place(0)))
    let nothingRead = Self.facts(cursor: nil, serverAccount: Self.other, head: Self.place(0))
    #expect(Divergence.decide(nothingRead) == .adoptAccount)
  }

  @Test("(ii) Entries that are no longer kept are a question for a person")
  func notKept() {
    let behind = Self.facts(
      keptFrom: 9, hashAtHead: Self.place(6).hash, head: Self.place(6), common: Self.place(6))
    #expect(Divergence.decide(behind) == .askAboutMissing(7...8))
    let empty = Self.facts(keptFrom: 9, head: Self.place(0))
    #expect(Divergence.decide(empty) == .askAboutMissing(1...8))
    let unknown = Self.facts(keptFrom: 9, head: Self.place(6), common: Self.place(3))
    #expect(Divergence.decide(unknown) == .askAboutMissing(7...8))
    let parted = Self.facts(
      keptFrom: 9, head: Self.place(20, branch: 1), common: Self.place(4))
    #expect(Divergence.decide(parted) == .askAboutMissing(5...8))
    let justKept = Self.facts(
      keptFrom: 7, hashAtHead: Self.place(6).hash, head: Self.place(6), common: Self.place(6))
    #expect(Divergence.decide(justKept) == .refill(after: Self.place(6)))
  }

  @Test("(iii) The logs have parted")
  func forked() {
    let longer = Self.facts(head: Self.place(12, branch: 1), common: Self.place(8))
    #expect(
      Divergence.decide(longer) == .rebuild(common: Self.place(8)))
    let shorter = Self.facts(
      hashAtHead: Self.place(9).hash, head: Self.place(9, branch: 1), common: Self.place(8))
    #expect(
      Divergence.decide(shorter) == .rebuild(common: Self.place(8)))
    let fromTheStart = Self.facts(head: Self.place(10, branch: 1))
    #expect(
      Divergence.decide(fromTheStart) == .rebuild(common: nil))
  }

  @Test("Another account with entries is a question, and with a yes the logs have parted")
  func anotherAccount() {
    let facts = Self.facts(serverAccount: Self.other, head: Self.place(3))
    #expect(Divergence.decide(facts) == .askAboutAccount)
    #expect(Divergence.decide(facts, adoptsAccount: true) == .rebuild(common: nil))
    let nothingRead = Self.facts(cursor: nil, serverAccount: Self.other, head: Self.place(3))
    #expect(Divergence.decide(nothingRead) == .askAboutAccount)
    let dropped = Self.facts(keptFrom: 9, serverAccount: Self.other, head: Self.place(3))
    #expect(Divergence.decide(dropped, adoptsAccount: true) == .askAboutMissing(1...8))
  }

  @Test("Facts that cannot be are refused")
  func impossible() {
    let commonBeyondHead = Self.facts(head: Self.place(6), common: Self.place(10))
    #expect(Divergence.decide(commonBeyondHead) == .refuseFacts)
    let commonIsNotHead = Self.facts(head: Self.place(10, branch: 1), common: Self.place(10))
    #expect(Divergence.decide(commonIsNotHead) == .refuseFacts)
    let commonBeyondMine = Self.facts(head: Self.place(20), common: Self.place(15))
    #expect(Divergence.decide(commonBeyondMine) == .refuseFacts)
    let commonOfNothing = Self.facts(cursor: nil, head: Self.place(20), common: Self.place(15))
    #expect(Divergence.decide(commonOfNothing) == .refuseFacts)
  }
}
