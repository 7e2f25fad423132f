import FolioDomain
import FolioServer
import FolioStore
import LMDB
import TestSupport

extension World {
  /// Saves a few edits on a device as one transaction.
  func edit(_ device: SimulatedDevice) throws {
    let edits = (0..<random.pick([1, 1, 1, 2, 3])).map { _ in randomEdit() }
    device.willCommit()
    do {
      let saved = try device.store.write { try $0.save(edits) }
      guard let id = saved.transaction else { return }
      try note(id, of: device)
      counts.saved += 1
      story.tell(5, device.number, line: "device \(device.number) saves \(id.text)")
    } catch let error as StoreError {
      try recover(device, from: error)
    } catch is EditError, is DocumentError, is RecordError {
      // What cannot be made is not saved.
    }
  }

  private func note(_ id: TransactionID, of device: SimulatedDevice) throws {
    let pending = try device.store.read {
      try $0.pending(after: $0.status().lastSequence - 1, maxCount: 1, maxByteCount: .max)
    }
    guard let last = pending.last, last.transaction.id == id else {
      throw Failure(message: "\(id.text) was saved and is not pending")
    }
    guard saved[id] == nil else { throw Failure(message: "\(id.text) was saved twice") }
    saved[id] = try TransactionBody(decoding: last.transaction.body).operations
  }

  /// Finds out whether a save took place whose outcome was not known.
  func adoptUnknown(_ device: SimulatedDevice) throws {
    let pending = try device.store.read {
      try $0.pending(after: 0, maxCount: .max, maxByteCount: .max)
    }
    for entry in pending where !entry.isVoid && saved[entry.transaction.id] == nil {
      let body = try TransactionBody(decoding: entry.transaction.body)
      saved[entry.transaction.id] = body.operations
      counts.saved += 1
    }
  }

  private func randomEdit() -> Edit {
    switch random.int(0...11) {
    case 0...5:
      .add(
        random.asset(), random.one(in: 4) ? random.signedAmount() : random.positiveAmount(),
        category: random.one(in: 2) ? random.category() : nil)
    case 6: .set(random.asset(), random.positiveAmount())
    case 7: .move(random.asset(), to: random.category())
    case 8: .delete(random.asset())
    case 9: .renameCategory(random.category().key, to: random.category())
    case 10: .put(random.put())
    default: .deleteDocument(random.documentKey())
    }
  }

  // MARK: The market

  /// The server learns prices, or an asset table, of the present or of late.
  func trade() throws {
    do {
      if random.one(in: 4) {
        let asset = random.asset()
        try server.importAssets([
          AssetInfo(asset: asset, symbol: "S\(random.int(0...9))", name: "An asset")
        ])
      } else {
        var prices = PriceObservations()
        for _ in 0..<random.int(1...4) {
          let age = Int64(random.int(0...60)) * Self.hour
          prices.add(
            random.asset(), try Price("\(random.int(1...99)).\(random.int(1...9))"),
            at: server.clock.now().adding(milliseconds: -age))
        }
        try server.importPrices(prices)
      }
    } catch is ServerStorageError {
      // A fault, which the server's operator is told.
    }
  }
}
