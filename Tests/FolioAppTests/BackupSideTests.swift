import FolioApp
import FolioDomain
import FolioGateway
import FolioJSON
import FolioStore
import FolioSystem
import TestSupport
import Testing

/// A store that was made from a backup file, and what its first sync asks.
@Suite("A store restored from a backup")
struct BackupSideTests {
  static let notes = CollectionName(unchecked: "notes")
  static let kept = DocumentID(1)
  static let made = DocumentID(2)
  static let deleted = DocumentID(3)

  /// A phone that was backed up, and went on; a tablet that has all of it.
  struct Scene {
    let world: World
    let tablet: Device
    let backup: String

    init() throws {
      world = try World()
      try world.importPrices(1)
      let phone = try world.device("phone")
      tablet = try world.device("tablet")
      try phone.add("4", "crypto:bitcoin", to: "Savings")
      try phone.add("10", "stock:ABC", to: "Shares")
      try phone.edit(.put(Self.put(kept, "first")), .put(Self.put(deleted, "there")))
      try phone.sync()
      try phone.add("1", "forex:EUR")
      backup = world.path("phone.backup")
      try phone.store.backUp(to: backup)
      // What came after the backup.
      try phone.add("-3", "crypto:bitcoin")
      try phone.edit(
        .move(try AssetKey("stock:ABC"), to: try Category(named: "Sold")),
        .delete(try AssetKey("stock:ABC")),
        .add(try AssetKey("crypto:new"), try Amount("7"), category: nil))
      try phone.edit(
        .put(Self.put(kept, "second")), .put(Self.put(made, "new")),
        .deleteDocument(DocumentKey(collection: notes, id: deleted)))
      world.advance(hours: 12)
      try phone.sync()
      try tablet.sync()
      phone.store.close()
    }

    static func put(_ id: DocumentID, _ text: String) -> DocumentPut {
      DocumentPut(
        collection: notes, document: id,
        set: [DocumentField(FieldPath(FieldName(unchecked: "text")), .string(text))])
    }

    func restored(_ name: String = "restored") throws -> Device {
      let options = world.options()
      _ = try Client.restore(at: world.path(name), fromBackup: backup, options: options)
      return Device(store: try Store.open(at: world.path(name), options.store), options: options)
    }
  }

  /// What a device shows of assets and documents.
  private func shown(_ device: Device) throws -> [String] {
    try device.store.read { state in
      let assets = try state.holdings().map { asset in
        let holding = asset.holding
        return "\(holding.asset) \(holding.amount.decimalText) \(holding.category.spelling)"
      }
      let documents = try [Self.kept, Self.made, Self.deleted].compactMap { id in
        try state.document(DocumentKey(collection: Self.notes, id: id)).flatMap { document in
          document.isDeleted ? nil : "\(id.text) \(document.fields)"
        }
      }
      return assets + documents
    }
  }

  @Test("F17: a restored backup is not undone by the next sync, which stops and asks")
  func asks() throws {
    let scene = try Scene()
    let device = try scene.restored()
    let before = try shown(device)
    let head = try scene.world.server.head()
    let error = #expect(throws: SyncError.self) { try device.sync() }
    #expect(error == .decisionNeeded(.restoredBackup(local: 3)))
    #expect(error?.kind == .tryAgain)
    #expect(try shown(device) == before)
    #expect(try device.pendingCount == 1)
    #expect(try scene.world.server.head() == head)
    let status = try device.store.read { try $0.status() }
    #expect(status.decisions == [.restoredBackup(local: 3)])
  }

  @Test("F17: where the server's side counts, the store catches up, and what waited is sent")
  func server() throws {
    let scene = try Scene()
    let device = try scene.restored()
    let summary = try device.sync(SyncAnswers(keep: .server))
    #expect(summary.compensations == 0)
    #expect(try shown(device) == shown(scene.tablet))
    try scene.tablet.sync()
    try expectSame(device, scene.tablet)
    #expect(try device.store.read { try $0.status() }.decisions.isEmpty)
    // The question is answered for good.
    try device.sync()
  }

  @Test(
    "F17: where the backup's side counts, transactions bring back on every device what it holds")
  func backup() throws {
    let scene = try Scene()
    let device = try scene.restored()
    try device.add("0.5", "crypto:bitcoin")
    let wanted = try shown(device)
    #expect(try wanted != shown(scene.tablet))
    let summary = try device.sync(SyncAnswers(keep: .backup))
    #expect(summary.compensations == 1)
    #expect(try shown(device) == wanted)
    try scene.tablet.sync()
    #expect(try shown(scene.tablet) == wanted)
    try expectSame(device, scene.tablet)
    #expect(try scene.tablet.amount("crypto:bitcoin") == "4.5")
    #expect(try device.store.read { try $0.status() }.decisions.isEmpty)
    // Nothing is brought back twice.
    #expect(try device.sync(SyncAnswers(keep: .backup)).compensations == 0)
    #expect(try shown(device) == wanted)
  }

  @Test("F17: a sync that is cut anywhere while the backup counts goes on, and brings back once")
  func cut() throws {
    for cut in [400, 900, 1_500, 2_000, 2_600, 3_200, 4_000, 5_500] {
      let scene = try Scene()
      let device = try scene.restored()
      let wanted = try shown(device)
      scene.world.server.cuts = [cut]
      _ = try? device.sync(SyncAnswers(keep: .backup))
      #expect(try shown(device) == wanted, "cut at \(cut)")
      try device.sync(SyncAnswers(keep: .backup))
      try scene.tablet.sync()
      #expect(try shown(scene.tablet) == wanted, "cut at \(cut)")
      try expectSame(device, scene.tablet)
    }
  }

  @Test("A backup that is damaged, of another kind or missing leaves nothing behind")
  func damaged() throws {
    let scene = try Scene()
    let folder = scene.world.folder
    var bytes = try folder.bytes(of: "phone.backup")
    let id = Array("bitcoin".utf8)
    for start in bytes.indices.dropLast(id.count) where bytes[start...].starts(with: id) {
      bytes[start + 1] ^= 1
    }
    try folder.write(bytes, to: "damaged.backup")
    try folder.write(Array(bytes.prefix(9_000)), to: "short.backup")
    try folder.write(Array("a letter".utf8), to: "letter.backup")
    let before = try Files.entries(of: folder.path)
    for name in ["damaged", "short", "letter", "missing"] {
      #expect(throws: StoreError.self, "\(name)") {
        try Client.restore(
          at: scene.world.path("new"), fromBackup: folder.path + "/\(name).backup",
          options: scene.world.options())
      }
      #expect(try Files.entries(of: folder.path) == before, "\(name)")
    }
    #expect(throws: StoreError.folderNotEmpty(path: scene.world.path("tablet"))) {
      try Client.restore(
        at: scene.world.path("tablet"), fromBackup: scene.backup, options: scene.world.options())
    }
  }

  @Test("A restore from a backup that was interrupted is begun anew")
  func interrupted() throws {
    let scene = try Scene()
    let building = scene.world.path("restored.building")
    try Files.makeFolder(building)
    try scene.world.folder.write([1, 2, 3], to: "restored.building/partial.mdb")
    _ = try scene.restored().store.close()
    try Files.moveFolder(scene.world.path("restored"), to: building)
    let device = try scene.restored()
    #expect(try device.pendingCount == 1)
    #expect(try Files.kind(of: building) == nil)
  }
}
