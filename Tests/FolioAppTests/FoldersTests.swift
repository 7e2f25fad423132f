import FolioApp
import FolioDomain
import FolioGateway
import FolioStore
import FolioSystem
import FolioTransport
import FolioWire
import TestSupport
import Testing

/// What is on the disk while a store is made, and after it was not.
@Suite("Making and restoring stores")
struct FoldersTests {
  private func entries(_ world: World) throws -> [String] {
    try Files.entries(of: world.folder.path)
  }

  @Test("A store that joins an account knows it, and nothing was sent")
  func joined() throws {
    let world = try World()
    let store = try Client.create(
      at: world.path("phone"), server: "stdio:here", account: "me", options: world.options())
    let status = try store.read { try $0.status() }
    #expect(status.account != nil)
    #expect(status.accountName == "me")
    #expect(status.serverURL == "stdio:here")
    #expect(status.isRestoring == false)
    #expect(try entries(world) == ["phone"])
    // It remembers, so that a sync needs no words.
    let options = world.options()
    _ = try Client.sync(store, options: options)
  }

  @Test("An unknown account is refused, and no store is left")
  func unknownAccount() throws {
    let world = try World()
    let error = #expect(throws: SyncError.self) {
      try Client.create(
        at: world.path("phone"), server: "stdio:here", account: "you", options: world.options())
    }
    #expect(error?.kind == .notAllowed)
    #expect(try entries(world) == [])
  }

  @Test("Where the server is not reached no store is left, neither made nor restored")
  func unreachable() throws {
    let world = try World()
    var options = world.options()
    options.attemptsMax = 1
    options.connect = { _ in throw TransportError.refused(address: "here") }
    let made = #expect(throws: SyncError.self) {
      try Client.create(
        at: world.path("phone"), server: "stdio:here", account: "me", options: options)
    }
    #expect(made?.kind == .unreachable)
    let restored = #expect(throws: SyncError.self) {
      try Client.restore(
        at: world.path("phone"), server: "stdio:here", account: "me", options: options)
    }
    #expect(restored?.kind == .unreachable)
    #expect(try entries(world) == [])
  }

  @Test("A folder that holds something is refused and left as it is")
  func taken() throws {
    let world = try World()
    let device = try world.device("phone")
    device.store.close()
    let before = try Files.entries(of: world.path("phone"))
    #expect(throws: StoreError.folderNotEmpty(path: world.path("phone"))) {
      try Client.restore(
        at: world.path("phone"), server: "stdio:here", account: "me", options: world.options())
    }
    #expect(try Files.entries(of: world.path("phone")) == before)
  }

  @Test("A restore goes into an empty folder that is there already")
  func emptyFolder() throws {
    let world = try World()
    let phone = try world.device("phone")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try Files.makeFolder(world.path("restored"))
    let (restored, summary) = try world.restore("restored")
    #expect(summary.transactions == 1)
    #expect(try restored.amount("crypto:bitcoin") == "1")
    #expect(try entries(world) == ["phone", "restored"])
  }

  @Test("An interrupted restore goes on from what it had read")
  func interrupted() throws {
    let world = try World()
    let phone = try world.device("phone")
    for index in 1...40 { try phone.add("\(index)", "crypto:bitcoin") }
    try phone.sync()
    world.server.limits.entries = 10
    var options = world.options()
    options.attemptsMax = 1
    world.server.cuts = [9_000]
    #expect(throws: SyncError.self) {
      try Client.restore(
        at: world.path("restored"), server: "stdio:here", account: "me", options: options)
    }
    #expect(try entries(world) == ["phone", "restored.building"])
    let before = world.server.byteCount
    let (restored, summary) = try world.restore("restored")
    #expect(summary.transactions == 40)
    #expect(world.server.byteCount - before < 12_000, "what was read is not read again")
    #expect(try entries(world) == ["phone", "restored"])
    try expectSame(restored, phone)
  }

  @Test("Two syncs of one store at once: the second is told so")
  func locked() throws {
    let world = try World()
    let phone = try world.device("phone")
    let lock = try FileLock.take(phone.store.path + "/sync.lock")
    #expect(throws: AppError.syncUnderWay(path: phone.store.path)) { try phone.sync() }
    withExtendedLifetime(lock) {}
  }

  @Test("A store without a server is told what is missing")
  func notJoined() throws {
    let world = try World()
    let phone = try world.device("phone")
    #expect(throws: AppError.notJoined) { try Client.sync(phone.store, options: phone.options) }
    #expect(throws: AppError.serverIncomplete) {
      try Client.sync(phone.store, server: "stdio:here", options: phone.options)
    }
  }

  @Test("A store is made in a folder whose parents are missing")
  func missingParents() throws {
    let world = try World()
    let store = try Client.create(
      at: world.path("a/b/phone/"), server: "stdio:here", account: "me", options: world.options())
    store.close()
    #expect(try Files.entries(of: world.path("a/b")) == ["phone"])
  }

  @Test("What a crash left of a store being built is no hindrance; what was edited in it is")
  func leftovers() throws {
    let world = try World()
    let phone = try world.device("phone")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try world.device("restored.building").store.close()
    let (restored, _) = try world.restore("restored")
    try expectSame(restored, phone)

    let other = try world.device("second.building")
    try other.add("1", "crypto:bitcoin")
    other.store.close()
    #expect(throws: AppError.buildingFolderTaken(path: world.path("second.building"))) {
      try Client.restore(
        at: world.path("second"), server: "stdio:here", account: "me", options: world.options())
    }
    try Files.makeFolder(world.path("third.building"))
    try Files.write([0x41], to: world.path("third.building/letter"))
    #expect(throws: AppError.buildingFolderTaken(path: world.path("third.building"))) {
      try Client.restore(
        at: world.path("third"), server: "stdio:here", account: "me", options: world.options())
    }
  }
}
