internal import FolioCrypto
internal import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  func scanDocuments(_ body: (DocumentKey, DocumentRecord) throws -> Void) throws {
    try base.scan(spaces.documents, .all) { key, value in
      var keyReader = KeyReader(key)
      let collection = CollectionName(unchecked: try keyReader.readText())
      let id = DocumentID(try keyReader.readUInt128())
      var reader = RecordReader(value, of: spaces.documents.name)
      try body(DocumentKey(collection: collection, id: id), try DocumentRecord(&reader))
      return .next
    }
  }

  func checkDocuments(_ report: inout IntegrityReport) throws {
    var placeCount = 0
    var indexes: [CollectionName: [IndexRecord]] = [:]
    var indexedCount = 0
    try scanDocuments { key, record in
      let document = Document(
        key, accepted: record.accepted, pending: try pendingOperations(on: key))
      let places = try DocumentOrderKey.keys(key, record.listing)
      placeCount += places.count
      var isListed = document.map { DocumentListing($0) } == record.listing
      for place in places where isListed {
        isListed = try base.contains(spaces.documentOrder, place)
      }
      let known = try indexes[key.collection] ?? allIndexes(of: key.collection)
      indexes[key.collection] = known
      let indexed = document.map { document in known.map { $0.key(of: document).bytes } } ?? []
      indexedCount += indexed.count
      if isListed { isListed = try indexedPlaces(of: key) == indexed }
      for place in indexed where isListed { isListed = try base.contains(spaces.indexed, place) }
      if !isListed { report.add(.documentIndexDiffers, spaces.documents.name, key.id.text) }
    }
    if try base.count(spaces.documentOrder) != placeCount {
      report.add(.documentIndexDiffers, spaces.documentOrder.name)
    }
    if try base.count(spaces.indexed) != indexedCount {
      report.add(.documentIndexDiffers, spaces.indexed.name)
    }
  }

  /// - Returns: The latest price of each asset that a table has one of.
  func checkPrices(_ report: inout IntegrityReport) throws -> [AssetKey: PricedRecord.Latest] {
    var latest: [UInt32: PricedRecord.Latest] = [:]
    var tableCount = 0
    try scanPriceBlocks { block in
      tableCount += block.tables.nonzeroBitCount
      for (index, column) in block.columns.enumerated() {
        latest[column.number] = block.lastPrice(ofColumn: index)
      }
      return .next
    }
    if try priceTableCount() != tableCount {
      report.add(.priceIndexDiffers, spaces.marketCursor.name)
    }
    var numbers: Set<UInt32> = []
    var found: [AssetKey: PricedRecord.Latest] = [:]
    try base.scan(spaces.pricedAssets, .all) { key, value in
      var keyReader = KeyReader(key)
      let asset = try keyReader.readAsset()
      var reader = RecordReader(value, of: spaces.pricedAssets.name)
      let record = try PricedRecord(&reader)
      numbers.insert(record.number)
      found[asset] = latest[record.number]
      let isNamed = try pricedAsset(record.number) == asset
      if !isNamed || record.latest != latest[record.number] {
        report.add(.priceIndexDiffers, spaces.pricedAssets.name)
      }
      return .next
    }
    let next = try single(MarketRecord.self).nextNumber
    let isNumbered =
      try base.count(spaces.pricedNumbers) == numbers.count && numbers.allSatisfy { $0 < next }
    if !isNumbered || !numbers.isSuperset(of: latest.keys) {
      report.add(.priceIndexDiffers, spaces.prices.name)
    }
    return found
  }

  /// Checks the prices that the records of what is held have.
  func checkHeldPrices(
    _ latest: [AssetKey: PricedRecord.Latest], _ report: inout IntegrityReport
  ) throws {
    try scanRecords(.all) { asset, record in
      if record.latest != latest[asset] { report.add(.holdingDiffers, spaces.assets.name) }
    }
  }

  func checkSuccessions(_ report: inout IntegrityReport) throws {
    if try single(SuccessionsRecord.self).successions != tabledSuccessions() {
      report.add(.successionsDiffer, spaces.marketCursor.name)
    }
  }

  func checkSnapshots(_ report: inout IntegrityReport) throws {
    guard let stored = try snapshotRange() else { return }
    guard let slots = try snapshotSlots(), slots.lowerBound <= stored.lowerBound,
      stored.upperBound <= slots.upperBound
    else {
      report.add(.snapshotNotClosed, spaces.snapshots.name)
      return
    }
    try walkSnapshots(stored) { walker in
      guard case .made(let digest, _, _, _) = try snapshotRecord(walker.slot) else { return }
      if walker.digest(using: SHA256.self) != digest {
        report.add(.snapshotDiffers, spaces.snapshots.name, walker.slot.text)
      }
    }
  }
}
