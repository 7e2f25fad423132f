import FolioDomain
import FolioWire

/// How far the sending of own transactions is.
struct PushProgress {
  /// Transactions that were sent together and are not answered.
  struct Batch {
    var id: Int
    var transactions: [PendingTransaction]
    var byteCount: Int
    var first: UInt64 { transactions.first?.transaction.deviceSequence ?? 0 }
    var last: UInt64 { transactions.last?.transaction.deviceSequence ?? 0 }
  }

  /// The sequence up to which the server has this device's transactions.
  var acked: UInt64 = 0
  /// The last sequence that was sent.
  var sent: UInt64 = 0
  /// Batches that are not answered, in the order in which they were sent.
  var batches: [Batch] = []
  /// Whether nothing more is sent until all batches are answered, because one came to nothing.
  var isDraining = false
  /// What the server acknowledged when it last began anew, to see whether that leads anywhere.
  var ackedAtRestart: UInt64?
  /// Where the log ended when a push was last answered.
  var head: LogPosition?
}

extension SyncMachine {
  /// The most bytes of bodies in one push, so that the line stays within any server's limit.
  private var batchByteLimit: Int { min(limits.pageBytes, 393_216) }
  /// The most transactions in one push.
  private var batchCountLimit: Int { min(limits.entries, 500) }
  /// The most bytes of bodies in all pushes that are not answered.
  private var flightByteLimit: Int { 1_048_576 }

  /// Sends what the server lacks of this device; false where there is nothing.
  mutating func beginPush() throws -> Bool {
    push.sent = push.acked
    push.isDraining = false
    enter(.pushing)
    try sendBatches()
    return !push.batches.isEmpty
  }

  private mutating func sendBatches() throws {
    while !push.isDraining, push.batches.count < limits.inFlight {
      let isSingle = memory.sendsSingly(from: push.sent + 1)
      if isSingle, !push.batches.isEmpty { return }
      let room = flightByteLimit - push.batches.reduce(0) { $0 + $1.byteCount }
      if room <= 0 { return }
      let transactions = try storage.pending(
        after: push.sent, maxCount: isSingle ? 1 : batchCountLimit,
        maxBytes: min(batchByteLimit, room))
      guard let last = transactions.last else { return }
      let pushed = transactions.map { PushedTransaction($0.transaction, isVoid: $0.isVoid) }
      let id = send(.push(Push(transactions: pushed)))
      push.sent = last.transaction.deviceSequence
      push.batches.append(
        PushProgress.Batch(
          id: id, transactions: transactions,
          byteCount: transactions.reduce(0) { $0 + $1.transaction.body.count }))
    }
  }

  mutating func receive(_ ack: Ack, to id: Int) throws {
    if phase == .giving { return try receiveGiven(ack) }
    guard phase == .pushing, let index = push.batches.firstIndex(where: { $0.id == id }) else {
      throw unexpected("ack")
    }
    let batch = push.batches.remove(at: index)
    guard ack.results.count == batch.transactions.count else {
      throw SyncError.violation(.wrongResults)
    }
    push.head = ack.head
    let counted = memory.countedSequence ?? 0
    if let acked = ack.acked {
      let acked = AcknowledgedTransaction(sequence: acked.sequence, id: acked.id)
      if try isContested(acked) { return try renewIdentity() }
      try noteAcknowledged(acked)
      push.acked = acked.sequence
    }
    for (pending, result) in zip(batch.transactions, ack.results) {
      guard try take(result, of: pending, counted) else { return }
    }
    show(.pushed(memory.summary.pushed))
    try goOnPushing()
  }

  /// Takes the result of one transaction; false where the machine is over with it.
  ///
  /// - Parameter counted: The sequence up to which own transactions were counted before.
  private mutating func take(
    _ result: PushResult, of pending: PendingTransaction, _ counted: UInt64
  ) throws -> Bool {
    switch result {
    case .ok, .duplicate:
      break
    case .void:
      // It uses up its sequence, and nothing of it is in effect.
      if pending.transaction.deviceSequence > counted { memory.summary.pushed -= 1 }
    case .gap:
      push.isDraining = true
    case .forked:
      try renewIdentity()
      return false
    case .retry:
      throw SyncError.refused(
        ErrorMessage(code: "retry", class: .retry, action: .backoff, message: "it is busy"))
    case .rejected(let reason):
      try reject(pending, reason: reason)
    }
    return true
  }

  /// Makes a transaction that can never be accepted into a placeholder, which is sent in its place.
  private mutating func reject(_ pending: PendingTransaction, reason: String) throws {
    guard !pending.isVoid else { throw SyncError.violation(.wrongResults) }
    let rejected = RejectedTransaction(
      id: pending.transaction.id, sequence: pending.transaction.deviceSequence, reason: reason)
    try storage.void(rejected)
    memory.summary.rejected.append(rejected)
    memory.progressCount += 1
    push.isDraining = true
  }

  /// Takes the refusal of a whole push.
  mutating func receiveRefusal(_ error: ErrorMessage, of id: Int) throws {
    guard phase == .pushing, let index = push.batches.firstIndex(where: { $0.id == id }) else {
      throw SyncError.refused(error)
    }
    let batch = push.batches.remove(at: index)
    push.isDraining = true
    if batch.transactions.count == 1, let single = batch.transactions.first,
      memory.sendsSingly(from: batch.first)
    {
      try reject(single, reason: error.code)
    } else {
      memory.noteFailedBatch(first: batch.first, last: batch.last)
      push.ackedAtRestart = nil
    }
    try goOnPushing()
  }

  private mutating func goOnPushing() throws {
    if push.isDraining {
      guard push.batches.isEmpty else { return }
      try beginPushAnew()
    }
    try sendBatches()
    guard push.batches.isEmpty else { return }
    // Own entries, and what others did meanwhile, come by reading the log once more.
    try beginPull()
  }

  /// Begins after what the server has, once all that was sent has been answered.
  private mutating func beginPushAnew() throws {
    let mark = push.acked + UInt64(memory.summary.rejected.count)
    guard push.ackedAtRestart != mark else { throw SyncError.violation(.wrongResults) }
    push.ackedAtRestart = mark
    push.sent = push.acked
    push.isDraining = false
  }

  /// Notes what was under way when the connection ended.
  mutating func noteLostConnection() {
    guard let batch = push.batches.first else { return }
    memory.noteFailedBatch(first: batch.first, last: batch.last)
  }
}
